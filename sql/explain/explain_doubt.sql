-- Returns for each explained purchase what can hide a delivery of it, as parts of the sentence about it: rejected
-- delivery records, what may contain others, and records that contradict or supersede each other.
--
-- Takes  purchase (explain_purchase.sql), rejected_delivery (explain_rejected_delivery.sql), superseded_delivery
--        (explain_superseded_delivery.sql), contradicted_delivery (explain_contradicted_delivery.sql),
--        unsearched_delivery (explain_unsearched_delivery.sql).
-- Gives  environment, thing_key; unattempted_words: the end of the first sentence about a purchase without an attempt,
--        or null; further_words: sentences about another missing delivery, or null
select
    purchase.environment,
    purchase.thing_key,
    case
        when purchase.cause in ('never_attempted', 'no_records') and rejected_delivery.words is not null
            then format(', and no attempt is known: %s.', rejected_delivery.words)
        when purchase.cause = 'never_attempted'
            then coalesce(
                ', and no delivery of it counts: ' || superseded_delivery.words || '.',
                ', and no attempt is known: ' || unsearched_delivery.words || '.'
            )
    end as unattempted_words,
    further.words as further_words
from purchase
left join rejected_delivery using (environment, thing_key)
left join superseded_delivery using (environment, thing_key)
left join unsearched_delivery using (environment, thing_key)
left join (
    select
        environment,
        thing_key,
        min(words) as words
    from contradicted_delivery
    group by environment, thing_key
) as contradicted using (environment, thing_key)
cross join lateral (
    select
        string_agg(
            ' ' || upper(left(part.words, 1)) || substr(part.words, 2) || '.', '' order by part.place
        ) as words
    from (
        values
        (1, superseded_delivery.words),
        (2, case when purchase.cause <> 'no_records' then rejected_delivery.words end),
        (3, contradicted.words),
        (4, unsearched_delivery.words)
    ) as part (place, words)
    where purchase.cause in ('wrong_product', 'failed', 'pending', 'no_records')
) as further
