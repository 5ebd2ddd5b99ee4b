-- Returns one sentence for each explained thing that is no purchase: deliveries without a purchase, claims that only an
-- app reports, other records of apps, things after as-of, and findings about no purchase.
--
-- Takes  thing, found, explained_finding, claim_cause (explain_claim_cause.sql), queue_entry (explain_queue_entry.sql),
--        rejected_entry (explain_rejected_entry.sql).
-- Gives  environment, thing_key, cause: one word, sentence
with

lone as (

    select
        thing.thing_key,
        attempt.*,
        found.reason,
        case
            when not attempt.is_configured then 'other_environment'
            when found.reason is not null then found.reason
            when attempt.status <> 'delivered' then 'undelivered'
            when not attempt.is_listed then 'not_listed'
            when attempt.grace_ends_at > night.as_of then 'within_grace'
            when attempt.occurred_at < books.begin_at then 'before_books'
            else 'original_only'
        end as cause,
        'Delivery ' || attempt.delivery_id || coalesce(', server ' || attempt.server, '') as delivery_words
    from thing
    cross join night
    cross join books
    inner join attempt
        on thing.environment = attempt.environment
        and thing.thing_key = attempt_thing(attempt.obligation_key, attempt.delivery_id)
    left join found
        on found.rule = 'delivery_without_purchase'
        and attempt.environment = found.environment
        and attempt.delivery_id = (found.key).delivery_id
    where thing.kind = 'delivery'

),

-- The other environments in which the transactions of these deliveries are known.
elsewhere as (

    select
        lone.thing_key,
        string_agg(distinct member.environment, ', ' order by member.environment) as environments
    from lone
    inner join member
        on lone.transaction_id = member.transaction_id and lone.environment <> member.environment
    group by lone.thing_key

),

-- The transactions of these deliveries that were bought after as-of.
later as (

    select
        lone.thing_key,
        format(
            'which was bought on %s, after as-of, and is not considered yet',
            csv_instant(store_transaction.first_purchased_at)
        ) as words
    from lone
    cross join night
    inner join store_transaction
        on lone.environment = store_transaction.environment
        and lone.transaction_id = store_transaction.transaction_id
    where store_transaction.first_purchased_at > night.as_of

),

missed as (

    -- The missing deliveries of the whole ledger, not only of the affected part.
    select
        lone.thing_key,
        string_agg(
            missing.transaction_id, ', '
            order by identifier_order(missing.transaction_id)
        ) as transaction_ids
    from lone
    inner join tieout.carried_missing_delivery as missing
        on lone.delivery_id = missing.possible_match_delivery_id
    group by lone.thing_key

)

select
    lone.environment,
    lone.thing_key,
    lone.cause,
    concat(
        format(
            '%s: %s %s on %s%s for transaction %s, ',
            lone.delivery_words,
            quoted_name(lone.product_id),
            case lone.status when 'pending' then 'attempted' else lone.status end,
            csv_instant(lone.occurred_at),
            ' (account ' || quoted_name(lone.account_id) || ')',
            lone.transaction_id
        ),
        case lone.cause
            when 'other_environment'
                then case
                    when lone.is_configured then known.words || '.'
                    else format(
                        'in %s, which is not among the configured environments%s.',
                        lone.environment,
                        '; the transaction is known in ' || elsewhere.environments
                    )
                end
            when 'unknown_transaction' then known.words || '.'
            when 'undelivered' then known.words || '; nothing was delivered.'
            when 'not_listed'
                then known.words
                || case
                    when exists (select from product) then '; the catalogue does not list the product'
                    else '; there is no catalogue'
                end
                || coalesce(': ' || rejected_entry.words, '')
                || '.'
            when 'within_grace'
                then coalesce(
                    later.words || '.',
                    format(
                        '%s may come until %s.',
                        coalesce(
                            'which is known only in ' || elsewhere.environments || '; evidence of ' || lone.environment,
                            'which no evidence contains yet; it'
                        ),
                        csv_instant(lone.grace_ends_at)
                    )
                )
            when 'before_books' then known.words || '; it was before the books begin.'
            else 'which evidence contains only as the original of other transactions.'
        end,
        ' It is the best possible match for the missing delivery of transaction ' || missed.transaction_ids || '.'
    ) as sentence
from lone
left join elsewhere on lone.thing_key = elsewhere.thing_key
left join later on lone.thing_key = later.thing_key
cross join lateral (
    select
        coalesce(
            later.words, 'which is known only in ' || elsewhere.environments, 'which no evidence contains'
        ) as words
) as known
left join missed on lone.thing_key = missed.thing_key
left join rejected_entry on lone.product_id = rejected_entry.product_id
union all
select
    thing.environment,
    thing.thing_key,
    claim_cause.cause,
    claim_cause.sentence
from thing
inner join claim_cause
    on thing.environment = claim_cause.environment
    and thing.thing_key = 'claim ' || claim_cause.transaction_id
where thing.kind = 'claim'
union all
select
    thing.environment,
    thing.thing_key,
    'after_as_of',
    format(
        'Transaction %s, %s: bought on %s, after as-of: not considered yet.',
        store_transaction.transaction_id,
        quoted_name(store_transaction.product_id),
        csv_instant(store_transaction.first_purchased_at)
    )
from thing
inner join store_transaction
    on thing.environment = store_transaction.environment
    and thing.thing_key = 'transaction ' || store_transaction.transaction_id
where thing.kind = 'transaction'
union all
select
    thing.environment,
    thing.thing_key,
    'after_as_of',
    format(
        'Delivery %s is dated after as-of: not considered yet.',
        substr(thing.thing_key, length('later delivery ') + 1)
    )
from thing
where thing.kind = 'later delivery'
union all
select distinct
    environment,
    thing_key,
    cause,
    sentence
from queue_entry
union all
select
    thing.environment,
    thing.thing_key,
    finding.rule,
    format(
        'Finding %s, %s: %s %s about %s%s.',
        finding.name,
        case finding.status
            when 'open' then 'open since ' || to_char(finding.first_flagged_on, 'YYYY-MM-DD')
            else format(
                'flagged first on %s, %s%s',
                to_char(finding.first_flagged_on, 'YYYY-MM-DD'),
                finding.status,
                ' on ' || to_char(changed.day, 'YYYY-MM-DD')
            )
        end,
        finding.level,
        finding.rule,
        finding.subject,
        coalesce(': ' || nullif(rtrim(finding.detail, '.'), ''), '')
    )
    || case
        when rejected_entry.words is not null
            then format(' The catalogue does not list this product: %s.', rejected_entry.words)
        when
            finding.rule = 'unpriced_product'
            and not exists (select from product where product.product_id = (finding.key).product_id)
            then ' The catalogue does not list this product.'
        else ''
    end
from thing
inner join finding on thing.thing_key = 'finding ' || finding.finding_id
left join rejected_entry
    on finding.rule in ('invalid_product_id', 'unpriced_product')
    and (finding.key).product_id = rejected_entry.product_id
cross join lateral (
    select
        case finding.status
            when 'acknowledged' then (
                select max((acknowledgement.acknowledged_at at time zone 'UTC')::date)
                from acknowledgement
                where acknowledgement.finding_id = finding.finding_id and acknowledgement.ended_because is null
            )
            else (
                select max(run.as_of_on)
                from finding_event
                inner join run using (run_id)
                where finding_event.finding_id = finding.finding_id and finding_event.event = finding.status
            )
        end as day
) as changed
where thing.kind = 'finding'
order by 1, 2
