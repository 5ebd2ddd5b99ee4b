-- Inserts the pieces of evidence that tonight's documents contain and the ledger does not contain yet.
--
-- A piece that is the only one about its transaction (is_lone) is inserted directly: the transaction is new, and
-- tonight's files contain the piece once or several times without a difference. The pieces about all other
-- transactions, those in recurring_transaction (load_count.sql), are compared with the ledger.
--
-- Leaves behind  touched_transaction: the transactions with several pieces that got a new one, or another age of one,
--                for load_merge.sql.

create temporary table tonight_evidence on commit drop as
with

piece as (

    select distinct on (transaction_number, environment_code, content_hash)
        staged_evidence.*,
        recurring_transaction.is_known,
        -- Needed only to decide whether later evidence still contains a refund (judge_refund.sql).
        case
            when is_signed_transaction or cancelled_at is not null then max(evidence_at) over in_order
        end as last_evidence_at,
        case
            when (is_signed_transaction or cancelled_at is not null) and evidence_at < max(evidence_at) over in_order
                then nullif(last_value(file_id) over in_order, file_id)
        end as last_file_id
    from staged_evidence
    inner join recurring_transaction using (environment_code, transaction_number)
    -- The same order as that of the rows, so that they are sorted once.
    window in_order as (
        partition by transaction_number, environment_code, content_hash
        order by evidence_at, file_id, line, pointer
        rows between unbounded preceding and unbounded following
    )
    order by transaction_number, environment_code, content_hash, evidence_at, file_id, line, pointer

),

counted as (

    select
        piece.*,
        count(*) over (partition by transaction_number, environment_code) as pieces
    from piece

)

select
    counted.*,
    -- Tonight's files contain it several times without a difference, for instance in a receipt that came twice.
    not counted.is_known and counted.pieces = 1 as is_lone
from counted;

analyze tonight_evidence (transaction_number, environment_code, content_hash, is_lone);

-- The pieces that the ledger contains, before anything is inserted (load_document.sql).
create temporary table known_evidence on commit drop as
select
    tonight_evidence.environment_code,
    tonight_evidence.transaction_number,
    tonight_evidence.content_hash,
    not tonight_evidence.is_lone
    and (
        stored_evidence.evidence_at > tonight_evidence.evidence_at
        or coalesce(stored_evidence.last_evidence_at < tonight_evidence.last_evidence_at, false)
    ) as has_other_age
from tonight_evidence
inner join stored_evidence
    on tonight_evidence.environment_code = stored_evidence.environment_code
    and tonight_evidence.transaction_number = stored_evidence.transaction_number
    and tonight_evidence.content_hash = stored_evidence.content_hash;

analyze known_evidence;

create temporary table touched_transaction on commit drop as
select
    environment_code,
    transaction_number
from known_evidence
where has_other_age
union
select
    tonight_evidence.environment_code,
    tonight_evidence.transaction_number
from tonight_evidence
left join known_evidence using (environment_code, transaction_number, content_hash)
where known_evidence.transaction_number is null and not tonight_evidence.is_lone;

analyze touched_transaction;

-- Updates the ages of pieces that the ledger contains, if tonight's evidence for them is older or younger.
update stored_evidence
set
    evidence_at = least(stored_evidence.evidence_at, tonight_evidence.evidence_at),
    last_evidence_at = greatest(stored_evidence.last_evidence_at, tonight_evidence.last_evidence_at),
    last_file_id = case
        when stored_evidence.last_evidence_at >= tonight_evidence.last_evidence_at
            then coalesce(stored_evidence.last_file_id, stored_evidence.file_id)
        when stored_evidence.evidence_at > tonight_evidence.evidence_at then tonight_evidence.last_file_id
        when stored_evidence.last_evidence_at < tonight_evidence.last_evidence_at
            then coalesce(tonight_evidence.last_file_id, tonight_evidence.file_id)
    end,
    file_id = case
        when stored_evidence.evidence_at > tonight_evidence.evidence_at then tonight_evidence.file_id
        else stored_evidence.file_id
    end,
    line = case
        when stored_evidence.evidence_at > tonight_evidence.evidence_at then tonight_evidence.line
        else stored_evidence.line
    end,
    pointer = case
        when stored_evidence.evidence_at > tonight_evidence.evidence_at then tonight_evidence.pointer
        else stored_evidence.pointer
    end
from tonight_evidence
inner join known_evidence using (environment_code, transaction_number, content_hash)
where
    known_evidence.has_other_age
    and stored_evidence.environment_code = tonight_evidence.environment_code
    and stored_evidence.transaction_number = tonight_evidence.transaction_number
    and stored_evidence.content_hash = tonight_evidence.content_hash;

-- Inserts only the missing rows: ON CONFLICT for every row is slower.
insert into stored_evidence (
    environment_code, transaction_number, content_hash, evidence_at, original_number, product_number,
    quantity, purchased_at, original_purchased_at, expires_at, cancelled_at,
    line_item_number, is_trial, is_introductory_offer, is_promotional_offer,
    is_family_shared, is_upgraded, price, currency, storefront, account_id, device_id, is_signed,
    is_signed_transaction, product_type, revocation_percentage, account_token, dates_disagree,
    environments_disagree, last_evidence_at, last_file_id, file_id, line, pointer, is_lone
)
select
    environment_code, transaction_number, content_hash, evidence_at, original_number, product_number,
    quantity, purchased_at, original_purchased_at, expires_at, cancelled_at,
    line_item_number, is_trial, is_introductory_offer, is_promotional_offer,
    is_family_shared, is_upgraded, price, currency, storefront, account_id, device_id, is_signed,
    is_signed_transaction, product_type, revocation_percentage, account_token, dates_disagree,
    environments_disagree, last_evidence_at, last_file_id, file_id, line, pointer, is_lone
from (
    select tonight_evidence.*
    from tonight_evidence
    where not exists (
        select
        from known_evidence
        where
            known_evidence.environment_code = tonight_evidence.environment_code
            and known_evidence.transaction_number = tonight_evidence.transaction_number
            and known_evidence.content_hash = tonight_evidence.content_hash
    )
    union all
    -- The other transactions, in the columns of tonight_evidence.
    select
        staged_evidence.*,
        false as is_known,
        case when is_signed_transaction or cancelled_at is not null then evidence_at end as last_evidence_at,
        null::integer as last_file_id,
        1 as pieces,
        true as is_lone
    from staged_evidence
    where not exists (
        select
        from recurring_transaction
        where
            recurring_transaction.environment_code = staged_evidence.environment_code
            and recurring_transaction.transaction_number = staged_evidence.transaction_number
    )
) as piece;

drop table known_evidence;

-- These transactions, which the ledger contained, have another piece now.
update stored_evidence
set is_lone = false
from touched_transaction
inner join recurring_transaction using (environment_code, transaction_number)
where
    recurring_transaction.is_known
    and stored_evidence.environment_code = touched_transaction.environment_code
    and stored_evidence.transaction_number = touched_transaction.transaction_number
    and stored_evidence.is_lone
    and exists (
        select
        from differing_evidence
        where
            differing_evidence.environment_code = touched_transaction.environment_code
            and differing_evidence.transaction_number = touched_transaction.transaction_number
    );

insert into feed_day (feed, environment, day, first_at, last_at)
select
    'receipts',
    environment_name(environment_code),
    (since_midnight at time zone 'UTC')::date,
    first_at,
    last_at
from (
    select
        environment_code,
        utc_day(evidence_at) as since_midnight,
        min(evidence_at) as first_at,
        max(evidence_at) as last_at
    from staging_evidence
    group by environment_code, utc_day(evidence_at)
) as evidence_day
on conflict (feed, environment, day) do update
    set
        first_at = least(feed_day.first_at, excluded.first_at),
        last_at = greatest(feed_day.last_at, excluded.last_at)
    where excluded.first_at < feed_day.first_at or excluded.last_at > feed_day.last_at
