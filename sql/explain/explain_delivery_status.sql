-- Returns for each explained transaction the deliveryStatus for Apple's consumption request that evidence supports.
--
-- Takes  status_cause (explain_status_cause.sql), status_other (explain_status_other.sql), status_later
--        (explain_status_later.sql), first_purchase (explain_first_purchase.sql), withdrawn_source
--        (explain_withdrawn_source.sql).
-- Gives  transaction_id, environment, product_id, delivery_status or null, consumption_percentage, because
select
    status_cause.transaction_id,
    status_cause.environment,
    status_cause.product_id,
    status_cause.delivery_status,
    -- Apple expects 0 for a product that was not delivered, and refuses the member for auto-renewable subscriptions.
    case when delivery_status <> 'DELIVERED' and product_type <> 'auto_renewable' then 0 end as consumption_percentage,
    concat(
        case known_by
            when 'claim' then format('only an app reports it, as a restore of %s: ', original_transaction_id)
            when 'delivery'
                then format(
                    'no evidence contains it, but delivery %s names it and belongs to transaction %s: ',
                    named_by,
                    named_for
                )
            when 'restore' then case when cause <> 'no_purchase' then 'only restores of it are known: ' end
        end,
        -- In a chain that one delivery serves, and for a restore, another purchase decides.
        case
            when cause not in ('delivered', 'wrong_product', 'other_environment', 'no_purchase')
                and owed_transaction_id <> status_cause.transaction_id
                and owed_transaction_id is distinct from named_for
                then format('transaction %s represents this purchase: ', owed_transaction_id)
        end,
        case cause
            when 'delivered' then format('it was delivered (delivery %s)%s', served_by, elsewhere_words)
            when 'wrong_product' then format('another product was delivered (delivery %s)', other_served_by)
            when 'disputed'
                then format(
                    'receipts disagree about the product, and delivery %s delivered another one that they name: no '
                    'answer is possible',
                    other_served_by
                )
            when 'failing'
                then format(
                    'the latest attempt (delivery %s) failed, and in that hour %s failed for %s accounts (%s to %s)',
                    delivery_id,
                    server,
                    accounts,
                    first_delivery_id,
                    last_delivery_id
                )
            when 'fell_silent'
                then format(
                    'the latest attempt (delivery %s) failed, and %s was silent at times from %s to %s',
                    delivery_id,
                    server,
                    csv_instant(begins_at),
                    csv_instant(ends_at)
                )
            when 'failed'
                then format(
                    'the latest attempt (delivery %s) failed, and no other record of its server shows an outage',
                    delivery_id
                )
            when 'pending' then format('the latest attempt (delivery %s) never ended', delivery_id)
            when 'never_attempted'
                then coalesce(
                    'no attempt is known, but the log of '
                    || silent_servers
                    || ' has nothing in some hours before it was due; another server of its product was not silent',
                    'no attempt was made, but the log has other deliveries of that time'
                )
            when 'rejected'
                then
                    format(
                        'a delivery record that contains its ID was rejected (%s): no answer is possible until it is '
                        'corrected',
                        rejected_at
                    )
            when 'superseded' then superseded_words || ': no answer is possible'
            when 'contradicted'
                then contradicted_words || ': no answer is possible until the right one is sent again'
            when 'unsearched' then 'no attempt is known, and no answer is possible: ' || unsearched_words
            when 'no_records'
                then
                    'the log contains no delivery between purchase and due date, so it is uncertain whether it was '
                    'delivered'
            when 'unheard'
                then 'the log of every server that served its product is silent in its time: its delivery is uncertain'
            when 'unended'
                then
                    'the latest attempt had not ended when its server became silent: its delivery is uncertain'
            when 'not_due'
                then coalesce(
                    'its delivery is not due yet, and the latest attempt (delivery '
                    || delivery_id
                    || ') has not ended',
                    'its delivery is not due yet, and none is known'
                )
            when 'no_books'
                then 'the delivery log has no delivery and books_begin is not set: no answer is possible'
            when 'before_books' then 'it was bought before the books begin: no answer is possible'
            when 'not_asked' then 'it is fetched on demand, and was not requested'
            when 'no_purchase'
                then format(
                    'only restores of %s are known, never the purchase itself: nothing is owed', original_transaction_id
                )
            when 'not_ours' then 'the catalogue says that others deliver it: no answer is possible'
            when 'not_listed'
                then case
                    when exists (select from product)
                        then 'the catalogue does not list its product: no answer is possible until it does'
                    else 'there is no catalogue: no answer is possible until one lists its product'
                end
            else format('%s is not among the configured environments: it is not compared', status_cause.environment)
        end,
        case when is_disputed and cause <> 'disputed' then '; receipts disagree about the product' end,
        -- A possible match does not decide, but a person should look at it before the answer is sent.
        case
            when cause not in ('delivered', 'wrong_product') and match_words is not null
                then format('; best possible match: delivery %s, %s', match_delivery_id, match_words)
        end,
        case
            when cause in ('wrong_product', 'failing', 'fell_silent', 'failed', 'pending') then '; ' || unsearched_words
        end,
        case when cause <> 'delivered' then '; ' || status_later.words end,
        case
            when cause in ('wrong_product', 'failing', 'fell_silent', 'failed', 'pending', 'never_attempted')
                then '; ' || first_purchase_words || ': no answer is possible'
        end,
        '; run tieout rebuild first: '
        || lower(left(withdrawn_words, 1))
        || rtrim(substr(withdrawn_words, 2), '.')
    ) as because
from (
    select
        status_cause.*,
        first_purchase.words as first_purchase_words,
        withdrawn_source.words as withdrawn_words,
        case
            when withdrawn_source.words is not null then null
            when status_cause.cause = 'delivered' then 'DELIVERED'
            -- The first purchase may have been delivered, and one delivery serves the chain.
            when first_purchase.words is not null then null
            when status_cause.cause = 'wrong_product' then 'UNDELIVERED_WRONG_ITEM'
            when status_cause.cause in ('failing', 'fell_silent') then 'UNDELIVERED_SERVER_OUTAGE'
            when status_cause.cause in ('failed', 'pending', 'never_attempted') then 'UNDELIVERED_OTHER'
        end as delivery_status
    from status_cause
    left join first_purchase
        on status_cause.environment = first_purchase.environment
        and status_cause.obligation_key = first_purchase.thing_key
    left join withdrawn_source
        on status_cause.environment = withdrawn_source.environment
        and status_cause.obligation_key = withdrawn_source.thing_key
) as status_cause
left join status_later
    on status_cause.environment = status_later.environment
    and status_cause.obligation_key = status_later.thing_key
union all
select
    transaction_id,
    environment,
    product_id,
    null,
    null,
    because
from status_other
order by transaction_id, environment
