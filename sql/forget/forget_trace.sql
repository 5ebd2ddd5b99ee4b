-- Removes forgotten names from findings, acknowledgements and rejections.
--
-- A finding keeps its history under the subject that later runs find. A rejected record loses its text if the text
-- contains the name anywhere, even inside a longer word: losing too many texts is better than keeping the name.
--
-- Takes  forgotten: name, token.

with

part as (

    select
        finding.finding_id,
        finding.rule,
        coalesce(forgotten.token, split.word) as word,
        split.place,
        forgotten.token
    from finding
    cross join
        unnest(string_to_array(finding.subject, ' ')) with ordinality as split (word, place)
    left join forgotten on split.word = forgotten.name
    where finding.rule in ('shared_purchase', 'unfinished_delivery')

),

-- The accounts of a set are sorted.
renamed as (

    select
        finding_id,
        string_agg(
            word, ' ' order by case when rule = 'shared_purchase' then word end collate "C", place
        ) as subject
    from part
    group by finding_id
    having count(token) > 0

)

update finding
set
    subject = renamed.subject,
    subject_hash = sha256(convert_to(renamed.subject, 'UTF8'))
from renamed
where finding.finding_id = renamed.finding_id;

-- A name that contains spaces is not one word of the subject.
with

renamed as (

    select
        finding.finding_id,
        replace(finding.subject, forgotten.name, forgotten.token) as subject
    from finding
    inner join forgotten on position(forgotten.name in finding.subject) > 0
    where
        finding.rule in ('shared_purchase', 'unfinished_delivery')
        and forgotten.name like '% %'

)

update finding
set
    subject = renamed.subject,
    subject_hash = sha256(convert_to(renamed.subject, 'UTF8'))
from renamed
where finding.finding_id = renamed.finding_id;

-- The name of a finding depends on its subject, so its acknowledgements get the new name.
update acknowledgement
set finding = finding.name
from finding
where acknowledgement.finding_id = finding.finding_id and acknowledgement.finding <> finding.name;

update acknowledgement
set
    because = '',
    ended_note = null
from forgotten
where
    position(forgotten.name in acknowledgement.because) > 0
    or position(forgotten.name in acknowledgement.ended_note) > 0;

update finding
set detail = ''
from forgotten
where position(forgotten.name in finding.detail) > 0;

update rejection
set
    excerpt = '',
    raw = null
from forgotten
where
    position(forgotten.name in rejection.excerpt) > 0
    or position(convert_to(forgotten.name, 'UTF8') in rejection.raw) > 0;

-- The name of a member of the document may be the forgotten name.
update evidence
set pointer = null
from forgotten
where position(forgotten.name in evidence.pointer) > 0
