-- Removes forgotten names from findings, acknowledgements and rejections.
--
-- A finding keeps its history under the subject that later runs find. The reason of an acknowledgement and the detail
-- of a finding are emptied if the name is a word of its own in them. A rejected record can have any encoding, so its
-- text is removed if it contains the name anywhere: losing too many texts is better than keeping the name.
--
-- Takes  forgotten: name, token; forgotten_spelling: spelling, whole_word; holding_rejection (forget_holding.sql).

with

-- Sets are sorted.
renamed as (

    select
        finding.finding_id,
        coalesce(device.token, (finding.key).device_id) as device_id,
        account.ids as account_ids,
        token.ids as account_tokens
    from finding
    left join forgotten as device on (finding.key).device_id = device.name
    left join lateral (
        select array_agg(coalesce(forgotten.token, one.name) order by coalesce(forgotten.token, one.name)) as ids
        from unnest((finding.key).account_ids) as one (name)
        left join forgotten on one.name = forgotten.name
    ) as account on true
    left join lateral (
        select array_agg(coalesce(forgotten.token, one.name) order by coalesce(forgotten.token, one.name)) as ids
        from unnest((finding.key).account_tokens) as one (name)
        left join forgotten on one.name = forgotten.name
    ) as token on true
    where names_person(finding.key)

)

update finding
set
    key.device_id = renamed.device_id,
    key.account_ids = renamed.account_ids,
    key.account_tokens = renamed.account_tokens
from renamed
where
    finding.finding_id = renamed.finding_id
    and ((finding.key).device_id, (finding.key).account_ids, (finding.key).account_tokens)
    is distinct from (renamed.device_id, renamed.account_ids, renamed.account_tokens);

update finding
set
    subject = finding_subject(key),
    subject_hash = text_hash(finding_subject(key))
where names_person(key) and subject <> finding_subject(key);

-- The name of a finding depends on its subject, so its acknowledgements get the new name.
update acknowledgement
set finding = finding.name
from finding
where acknowledgement.finding_id = finding.finding_id and acknowledgement.finding <> finding.name;

-- A text that does not contain the spelling is not compared with the expression: the server keeps few expressions
-- compiled, and there can be many spellings.
update acknowledgement
set
    because = '',
    ended_note = null
from forgotten_spelling
where
    position(forgotten_spelling.spelling in acknowledgement.because) > 0
    and acknowledgement.because collate "C" ~ forgotten_spelling.whole_word
    or position(forgotten_spelling.spelling in acknowledgement.ended_note) > 0
    and acknowledgement.ended_note collate "C" ~ forgotten_spelling.whole_word;

update finding
set detail = ''
from forgotten_spelling
where
    position(forgotten_spelling.spelling in finding.detail) > 0
    and finding.detail collate "C" ~ forgotten_spelling.whole_word;

update rejection
set
    excerpt = '',
    raw = null
from holding_rejection
where rejection.rejection_id = holding_rejection.rejection_id;

-- Not an empty text: report_rejected_records.sql shows it as one of many rejections.
update rejection
set detail = 'The text was removed.'
from forgotten_spelling
where position(forgotten_spelling.spelling in rejection.detail) > 0;

-- The name of a member of the document may be the forgotten name.
update stored_evidence
set pointer = null
from forgotten_spelling
where position(forgotten_spelling.spelling in stored_evidence.pointer) > 0
