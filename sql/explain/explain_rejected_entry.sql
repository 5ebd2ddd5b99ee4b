-- Returns for each explained product that the catalogue does not list the newest rejected catalogue entry that contains
-- it as a separate word: why it is not listed. At most a hundred products.
--
-- It searches the newest rejections (searched_rejections), in the part of each entry that was kept.
--
-- Takes  purchase (explain_purchase.sql), thing, attempt, finding, product, read_later
--        (explain_read_later.sql).
-- Gives  product_id, words: that its entry was rejected, and where
with

named as (

    select product_id
    from purchase
    where not is_listed
    union
    select attempt.product_id
    from thing
    inner join attempt
        on thing.environment = attempt.environment
        and thing.thing_key = attempt_thing(attempt.obligation_key, attempt.delivery_id)
    where thing.kind = 'delivery' and not attempt.is_listed
    union
    select (finding.key).product_id
    from thing
    inner join finding on thing.thing_key = 'finding ' || finding.finding_id
    where
        thing.kind = 'finding'
        and finding.rule in ('invalid_product_id', 'unpriced_product')
        and not exists (select from product where product.product_id = (finding.key).product_id)

),

unlisted as (

    select
        product_id,
        convert_to(product_id, 'UTF8') as bytes,
        word_pattern(product_id) as pattern
    from named
    where product_id ~ '[^[:space:][:punct:]]'
    order by product_id
    limit 100

),

newest as (

    select
        rejection_id,
        kind,
        path,
        line,
        raw
    from rejection
    -- Otherwise nothing is read.
    where exists (select from unlisted)
    order by rejection_id desc
    limit searched_rejections()

)

select distinct on (unlisted.product_id)
    unlisted.product_id,
    format('its entry was rejected (%s%s)', newest.path, ', entry ' || newest.line) as words
from newest
inner join unlisted
    on position(unlisted.bytes in newest.raw) > 0
    and encode(newest.raw, 'escape') ~ unlisted.pattern
where
    newest.kind = 'catalogue'
    and newest.rejection_id not in (select read_later.rejection_id from read_later)
order by unlisted.product_id, newest.rejection_id desc
