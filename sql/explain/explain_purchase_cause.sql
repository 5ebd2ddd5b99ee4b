-- Returns one row for each explained purchase: its cause in one sentence, and what is owed and by when.
--
-- Takes  purchase (explain_purchase.sql), doubt (explain_doubt.sql), rejected_entry (explain_rejected_entry.sql),
--        period_end (explain_period_end.sql), carried_closest.
-- Gives  environment, thing_key, purchased_at, cause: one word, sentence, is_refunded, and the obligation; due_at is
--        null if nothing is owed, or nothing any more
select
    environment,
    thing_key,
    purchased_at,
    cause,
    concat(
        case
            when cause = 'delivered' and not is_completed then 'Restored'
            when cause in ('other_environment', 'not_listed', 'no_purchase', 'not_owed') then 'Seen'
            -- An earlier purchase of the chain was delivered.
            when bought_at <> purchased_at then 'Bought'
            when disposition = 'free' then 'Received for free'
            when disposition = 'family_shared' then 'Shared by the family'
            when is_charged then 'Charged'
            else 'Bought'
        end,
        ' on ',
        csv_instant(case when cause = 'delivered' then bought_at else purchased_at end),
        -- After a refund, another purchase of the chain is owed.
        case
            when cause not in ('delivered', 'refunded') and refunds > 0 and not is_refunded
                then format(' (transaction %s)', coalesce(owed_transaction_id, transaction_id))
        end,
        case cause
            when 'delivered' then format(
                ' and delivered on %s (%s)%s%s.',
                csv_instant(served_at),
                served_words,
                case
                    when served_at > due_at then ', late: it was due on ' || csv_instant(due_at)
                    when served_at < bought_at
                        then ', before the ' || case when is_completed then 'purchase' else 'restore' end
                end,
                elsewhere_words
            )
            when 'wrong_product' then format(
                ' and never delivered: %s (%s) delivered %s instead of %s.',
                case attempts when 1 then 'the only attempt' else format('one of %s attempts', attempts) end,
                wrong_words,
                quoted_name(wrong_product_id),
                quoted_name(product_id)
            )
            when 'failed' then format(
                ' and never delivered: %s (%s) failed on %s%s%s.',
                attempt_words, latest_words, csv_instant(latest_at), ': ' || rtrim(cut_error, '.'), latest_product_words
            )
            when 'pending' then format(
                ' and %s: %s (%s), begun on %s, %s%s.',
                case when unended_words is null then 'never delivered' else 'no delivery is known' end,
                attempt_words,
                latest_words,
                csv_instant(latest_at),
                coalesce(unended_words, 'never ended'),
                latest_product_words
            )
            when 'never_attempted' then coalesce(
                unattempted_words,
                ', and no attempt is known: the log of '
                || servers
                || ' has nothing in some hours before the due date ('
                || csv_instant(due_at)
                || '); another server of this product was not silent.',
                ' and never delivered: no attempt was made.'
            )
            when 'no_records' then coalesce(
                unattempted_words,
                format(
                    ', and no delivery is known: from then until it was due on %s %s; perhaps the log is missing, not '
                    'the delivery.',
                    csv_instant(due_at),
                    coalesce(
                        'the log of the servers of this product ('
                        || case when is_unheard then servers end
                        || ') has nothing in some hours',
                        'the log has no delivery of anything'
                    )
                )
            )
            when 'refunded' then format(' and %s: nothing is owed any more.', refund_words)
            when 'not_due' then format('; its delivery is due on %s, after as-of.', csv_instant(due_at))
            when 'before_books' then format(
                ', before the books begin on %s: no delivery is owed.', csv_instant(begin_at)
            )
            when 'no_books' then '. The delivery log has no delivery and books_begin is not set, so nothing is owed.'
            when 'not_asked' then ': it is fetched on demand, and was not requested yet.'
            when 'not_ours' then format(
                ': the catalogue gives “delivery: %s”, so our servers do not deliver it and nothing is owed.',
                delivery
            )
            when 'other_environment' then format(
                ' in %s, which is not among the configured environments: nothing is owed for transaction %s, %s.',
                environment,
                transaction_id,
                product_id
            )
            when 'not_listed' then format(
                ': %s%s, so nothing is owed for it.',
                case
                    when exists (select from product) then 'the catalogue does not list ' || quoted_name(product_id)
                    else 'there is no catalogue'
                end,
                coalesce(': ' || entry_words, ' (the closest identifier is ' || closest_product_id || ')')
            )
            when 'no_purchase' then format(
                ': only restores of %s are known, never the purchase itself, so nothing is owed.',
                original_transaction_id
            )
            else format(', and nothing is owed: its disposition is %s.', disposition)
        end,
        case
            when tells and wrong_words is not null
                then format(
                    ' %s (%s) delivered %s instead of %s on %s.',
                    case attempts when 1 then 'The only attempt' else format('One of %s attempts', attempts) end,
                    wrong_words,
                    quoted_name(wrong_product_id),
                    quoted_name(product_id),
                    csv_instant(wrong_at)
                )
        end,
        case
            when (tells or cause = 'wrong_product') and latest_status <> 'delivered'
                then format(
                    ' %s (%s) %s%s.',
                    case
                        when wrong_words is not null then 'The last attempt'
                        else upper(left(attempt_words, 1)) || substr(attempt_words, 2)
                    end,
                    latest_words,
                    case latest_status
                        when 'failed'
                            then format('failed on %s%s', csv_instant(latest_at), ': ' || rtrim(cut_error, '.'))
                        else format('began on %s and has not ended', csv_instant(latest_at))
                    end,
                    latest_product_words
                )
        end,
        case
            when cause in ('delivered', 'before_books', 'no_books', 'not_listed', 'not_ours') and is_refunded
                then format(' %s%s.', upper(left(refund_words, 1)), substr(refund_words, 2))
            else ' ' || refunded_periods || '.'
        end,
        first_purchase_words,
        ' ' || period_words,
        case
            when cause = 'delivered' and not is_listed
                then format(' The catalogue does not list %s%s.', quoted_name(product_id), ': ' || entry_words)
        end,
        further_words,
        case
            when cause <> 'delivered' and later_deliveries > 0 then format(
                ' %s dated after as-of and not considered yet.',
                case later_deliveries when 1 then '1 delivery is' else later_deliveries || ' deliveries are' end
            )
        end,
        ' Best possible match: ' || match_words || '.'
    ) as sentence,
    is_refunded,
    product_id,
    coalesce(owed_transaction_id, transaction_id) as transaction_id,
    owed_delivery as delivery,
    case when cause <> 'delivered' then csv_instant(due_at) end as due_at,
    attempts
from (
    select
        purchase.*,
        -- Nothing is owed, or not yet.
        cause in ('refunded', 'not_due', 'before_books', 'not_listed', 'no_purchase', 'not_ours', 'not_owed') as tells,
        closest.closest_product_id,
        doubt.unattempted_words,
        doubt.further_words,
        rejected_entry.words as entry_words,
        period_end.words as period_words
    from purchase
    left join carried_closest as closest on purchase.product_id = closest.product_id
    left join rejected_entry on purchase.product_id = rejected_entry.product_id
    left join doubt using (environment, thing_key)
    left join period_end using (environment, thing_key)
) as purchase
