-- Returns one row for each explained purchase with a restore or renewal that the sentence about it leaves out: the
-- transaction that was asked for, or else the newest later one with the name. Also one for the purchase of the delivery
-- that names the transaction, if no evidence contains it.
--
-- Takes  asked_name, tieout.error_length; thing, purchase (explain_purchase.sql), latest_attempt
--        (explain_latest_attempt.sql).
-- Gives  environment, thing_key, transaction_id, sentence; of a restore also what followed it
with

candidate as (

    select
        member.environment,
        member.obligation_key as thing_key,
        member.transaction_id,
        member.product_id,
        member.purchased_at,
        member.disposition,
        member.account_ids,
        member.device_ids,
        coalesce(member.transaction_id = asked_name.name, false) as is_asked,
        coalesce(
            asked_name.name in (member.original_transaction_id, member.web_order_line_item_id)
            or asked_name.name = any(member.account_ids)
            or asked_name.device_id = any(member.device_ids),
            false
        ) as is_named,
        -- The name of a delivery or finding asks about nothing later.
        thing.named_as ~ 'account|device|original|line item' as names_all,
        member.purchased_at > said.at as is_later,
        -- The sentence begins with this restore or renewal.
        case member.disposition
            when 'renewal' then member.purchased_at = said.at
            else
                member.transaction_id = purchase.transaction_id
                and purchase.cause = 'delivered'
                and member.purchased_at <= purchase.served_at
        end as is_said
    from thing
    cross join asked_name
    inner join purchase using (environment, thing_key)
    cross join lateral (
        select case when purchase.cause = 'delivered' then purchase.bought_at else purchase.purchased_at end as at
    ) as said
    inner join member
        on thing.environment = member.environment and thing.thing_key = member.obligation_key
    where thing.kind = 'purchase'

),

chosen as (

    select distinct on (environment, thing_key) counted.*
    from (
        select
            candidate.*,
            bool_or(is_named) over (partition by environment, thing_key) as has_named
        from candidate
    ) as counted
    where
        disposition in ('restored', 'renewal')
        and not is_said
        and (is_asked or (names_all and is_later and (is_named or not has_named)))
    order by
        environment,
        thing_key,
        is_asked desc,
        purchased_at desc,
        disposition = 'restored',
        identifier_order(transaction_id) desc

),

-- The attempts after a restore: its own first, then those that name another restore of the purchase.
following as (

    select
        chosen.environment,
        chosen.thing_key,
        attempt.delivery_id,
        attempt.status,
        attempt.occurred_at,
        attempt.product_id = chosen.product_id as is_right,
        other.transaction_id is not null as is_of_other,
        format('delivery %s delivered it on %s', attempt.delivery_id, csv_instant(attempt.occurred_at))
        || coalesce(', to account ' || misplaced.account, '')
        || coalesce(', to device ' || misplaced.device, '')
        || coalesce(', for transaction ' || other.transaction_id, '') as served_words,
        format(
            'delivery %s delivered %s instead of %s on %s',
            attempt.delivery_id,
            quoted_name(attempt.product_id),
            quoted_name(chosen.product_id),
            csv_instant(attempt.occurred_at)
        ) as wrong_words,
        case attempt.status
            when 'failed'
                then format('the last attempt (delivery %s) failed on ', attempt.delivery_id)
                || csv_instant(attempt.occurred_at)
                || coalesce(
                    ': ' || rtrim(left(attempt.error, length.error), '.')
                    || case when length(attempt.error) > length.error then '…' else '' end,
                    ''
                )
            when 'pending'
                then format(
                    'the last attempt (delivery %s), begun on %s, has not ended',
                    attempt.delivery_id,
                    csv_instant(attempt.occurred_at)
                )
        end as unfinished_words,
        misplaced.account is not null or misplaced.device is not null as is_misplaced
    from chosen
    inner join attempt
        on chosen.environment = attempt.environment
        and chosen.thing_key = attempt.obligation_key
        and chosen.purchased_at <= attempt.occurred_at
    cross join (select current_setting('tieout.error_length')::integer as error) as length
    left join member as other
        on attempt.environment = other.environment
        and attempt.transaction_id = other.transaction_id
        and attempt.obligation_key = other.obligation_key
        and other.disposition = 'restored'
        and chosen.transaction_id <> other.transaction_id
    cross join lateral (
        select
            case
                when cardinality(chosen.account_ids) > 0 and attempt.account_id <> all(chosen.account_ids)
                    then quoted_name(attempt.account_id)
            end as account,
            case
                when cardinality(chosen.device_ids) > 0 and attempt.device_id <> all(chosen.device_ids)
                    then quoted_name(attempt.device_id)
            end as device
    ) as misplaced
    where chosen.disposition = 'restored'

),

outcome as (

    select
        environment,
        thing_key,
        (
            array_agg(served_words order by is_of_other, is_misplaced, occurred_at, delivery_id)
            filter (where status = 'delivered' and is_right)
        )[1] as served_words,
        bool_or(status = 'delivered' and is_right and not is_of_other) as is_served,
        (
            array_agg(wrong_words order by latest_first(occurred_at, status, delivery_id))
            filter (where status = 'delivered' and not is_right and not is_of_other)
        )[1] as wrong_words,
        (
            array_agg(unfinished_words order by latest_first(occurred_at, status, delivery_id))
            filter (where not is_of_other)
        )[1] as unfinished_words
    from following
    group by environment, thing_key

)

select
    chosen.environment,
    chosen.thing_key,
    chosen.transaction_id,
    case chosen.disposition
        when 'renewal'
            then format('%s is the renewal of %s.', chosen.transaction_id, csv_instant(chosen.purchased_at))
        else format(
            '%s is a restore of %s; %s.',
            chosen.transaction_id,
            csv_instant(chosen.purchased_at),
            coalesce(
                case when outcome.is_served then outcome.served_words end,
                nullif(concat_ws('; ', outcome.wrong_words, outcome.unfinished_words), ''),
                outcome.served_words,
                'no delivery followed it'
            )
        )
    end as sentence
from chosen
left join outcome using (environment, thing_key)
union all
select
    thing.environment,
    thing.thing_key,
    latest_attempt.transaction_id,
    format(
        'No evidence contains %s, but delivery %s names it and belongs to transaction %s.',
        latest_attempt.transaction_id,
        latest_attempt.named_by,
        latest_attempt.named_for
    )
from asked_name
inner join latest_attempt on asked_name.name = latest_attempt.transaction_id
inner join thing
    on latest_attempt.environment = thing.environment and latest_attempt.obligation_key = thing.thing_key
where latest_attempt.known_by = 'delivery'
order by environment, thing_key, transaction_id
