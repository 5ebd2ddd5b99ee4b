-- Creates the functions that compare the ledger with Apple's reports.

-- The code of a country with two letters, as Apple's reports name it, for a storefront of three letters (ISO 3166-1;
-- XKS is Kosovo). Empty if there is no such country.
create function country_code(storefront text) returns text
language sql immutable parallel safe
as $$
    select
        case
            when length(storefront) = 3
                then coalesce(substr(codes, nullif(strpos(codes, ' ' || storefront), 0) + 4, 2), '')
            else ''
        end
    from (
        values (
            ' ABWAW AFGAF AGOAO AIAAI ALAAX ALBAL ANDAD AREAE ARGAR ARMAM ASMAS ATAAQ ATFTF ATGAG AUSAU AUTAT'
            ' AZEAZ BDIBI BELBE BENBJ BESBQ BFABF BGDBD BGRBG BHRBH BHSBS BIHBA BLMBL BLRBY BLZBZ BMUBM BOLBO'
            ' BRABR BRBBB BRNBN BTNBT BVTBV BWABW CAFCF CANCA CCKCC CHECH CHLCL CHNCN CIVCI CMRCM CODCD COGCG'
            ' COKCK COLCO COMKM CPVCV CRICR CUBCU CUWCW CXRCX CYMKY CYPCY CZECZ DEUDE DJIDJ DMADM DNKDK DOMDO'
            ' DZADZ ECUEC EGYEG ERIER ESHEH ESPES ESTEE ETHET FINFI FJIFJ FLKFK FRAFR FROFO FSMFM GABGA GBRGB'
            ' GEOGE GGYGG GHAGH GIBGI GINGN GLPGP GMBGM GNBGW GNQGQ GRCGR GRDGD GRLGL GTMGT GUFGF GUMGU GUYGY'
            ' HKGHK HMDHM HNDHN HRVHR HTIHT HUNHU IDNID IMNIM INDIN IOTIO IRLIE IRNIR IRQIQ ISLIS ISRIL ITAIT'
            ' JAMJM JEYJE JORJO JPNJP KAZKZ KENKE KGZKG KHMKH KIRKI KNAKN KORKR KWTKW LAOLA LBNLB LBRLR LBYLY'
            ' LCALC LIELI LKALK LSOLS LTULT LUXLU LVALV MACMO MAFMF MARMA MCOMC MDAMD MDGMG MDVMV MEXMX MHLMH'
            ' MKDMK MLIML MLTMT MMRMM MNEME MNGMN MNPMP MOZMZ MRTMR MSRMS MTQMQ MUSMU MWIMW MYSMY MYTYT NAMNA'
            ' NCLNC NERNE NFKNF NGANG NICNI NIUNU NLDNL NORNO NPLNP NRUNR NZLNZ OMNOM PAKPK PANPA PCNPN PERPE'
            ' PHLPH PLWPW PNGPG POLPL PRIPR PRKKP PRTPT PRYPY PSEPS PYFPF QATQA REURE ROURO RUSRU RWARW SAUSA'
            ' SDNSD SENSN SGPSG SGSGS SHNSH SJMSJ SLBSB SLESL SLVSV SMRSM SOMSO SPMPM SRBRS SSDSS STPST SURSR'
            ' SVKSK SVNSI SWESE SWZSZ SXMSX SYCSC SYRSY TCATC TCDTD TGOTG THATH TJKTJ TKLTK TKMTM TLSTL TONTO'
            ' TTOTT TUNTN TURTR TUVTV TWNTW TZATZ UGAUG UKRUA UMIUM URYUY USAUS UZBUZ VATVA VCTVC VENVE VGBVG'
            ' VIRVI VNMVN VUTVU WLFWF WSMWS XKSXK YEMYE ZAFZA ZMBZM ZWEZW'
        )
    ) as list (codes)
$$;

-- The entries that tie_out.csv adds up: those of Apple's reports (`apple`, `apple_restored`), those of Sales and Trends
-- for the days of a fiscal month that it states completely (`daily`), and ours (carried_pacific) by period.
--
-- Where evidence lacks the country or the currency of a sale, the countries or currencies of its product are one.
create function tie_out_entry(as_of timestamptz, since date)
returns table (
    kind text,
    period_begin date,
    period_end date,
    state text,
    entry text,
    product_id text,
    country text,
    currency text,
    price_source text,
    units numeric,
    amount numeric,
    unit_price numeric,
    is_in_books boolean,
    is_in_pacific boolean,
    is_sale boolean,
    is_refund boolean,
    is_unlisted boolean,
    -- Whether it is one of our units that a report of this period should contain.
    is_counted boolean,
    -- Whether Sales and Trends states each day of this fiscal month.
    is_daily boolean
)
language sql stable parallel safe
as $$
    with

    period as materialized (

        select *
        from apple_period(tie_out_entry.as_of, tie_out_entry.since)

    ),

    line as materialized (

        select line.*
        from newest_apple_line(tie_out_entry.as_of, (select min(period.period_begin) from period)) as line
        inner join period
            on
                line.kind = period.kind
                and line.period_begin = period.period_begin
                and line.period_end = period.period_end
                and period.state = 'compared'

    ),

    -- In-app purchases have types such as IA1 and FI1; other rows are about the app. IA3 is a restore.
    apple as (

        select
            kind,
            period_begin,
            period_end,
            case when product_type like 'IA3%' and amount = 0 then 'apple_restored' else 'apple' end as entry,
            product_id,
            coalesce(country, '') as country,
            case when amount = 0 then '' else coalesce(currency, '') end as currency,
            case when amount = 0 then 'free' else 'receipt' end as price_source,
            units,
            amount,
            unit_price
        from line
        where coalesce(product_type ~ '^(IA|FI)', true)

    ),

    -- The fiscal months of which Sales and Trends states each day.
    month as (

        select month.kind, month.period_begin, month.period_end
        from period as month
        inner join period as day
            on
                day.kind = 'sales_summary'
                and day.period_begin = day.period_end
                and day.period_begin between month.period_begin and month.period_end
        where month.kind = 'financial' and month.state = 'compared' and day.state = 'compared'
        group by month.kind, month.period_begin, month.period_end
        having count(*) = month.period_end - month.period_begin + 1

    ),

    stated as (

        select kind, period_begin, period_end, 'compared' as state, apple.entry, product_id, country, currency,
            price_source, units, amount, unit_price, false as is_in_books, false as is_in_pacific,
            false as is_sale
        from apple
        union all
        select month.kind, month.period_begin, month.period_end, 'compared', 'daily', product_id, country, currency,
            price_source, units, amount, unit_price, false, false, false
        from month
        inner join apple
            on
                apple.kind = 'sales_summary'
                and apple.period_begin = apple.period_end
                and apple.period_begin between month.period_begin and month.period_end
                and apple.price_source = 'receipt'
        union all
        select
            period.kind,
            period.period_begin,
            period.period_end,
            period.state,
            ours.entry,
            ours.product_id,
            ours.country,
            ours.currency,
            ours.price_source,
            ours.quantity * ours.entries
            * case when ours.entry in ('refunded', 'unlisted_refunded', 'upgraded') then -1 else 1 end,
            ours.amount * ours.entries * case when ours.entry in ('refunded', 'unlisted_refunded') then -1 else 1 end,
            ours.amount / ours.quantity,
            ours.day between period.period_begin and period.period_end,
            ours.pacific_day between period.period_begin and period.period_end,
            is_sale_entry(ours.entry)
        from period
        inner join carried_pacific as ours
            on ours.day between period.period_begin - 1 and period.period_end + 1
        where
            -- An upgrade counts only there, and what is no sale only here.
            ours.day between period.period_begin and period.period_end and ours.entry <> 'upgraded'
            or period.state = 'compared'
            and ours.pacific_day between period.period_begin and period.period_end
            and is_sale_entry(ours.entry)

    ),

    placed as (

        select
            stated.*,
            case
                when
                    bool_or(stated.is_sale and stated.country = '')
                        over (partition by kind, period_begin, period_end, product_id)
                    then ''
                else stated.country
            end as place
        from stated

    ),

    named as (

        select
            placed.*,
            case
                when price_source = 'free' then ''
                when not bool_or(price_source <> 'free' and currency = '') over cell then currency
                when min(nullif(currency, '')) over cell = max(currency) over cell then max(currency) over cell
                else ''
            end as money
        from placed
        window cell as (partition by kind, period_begin, period_end, product_id, place)

    )

    select
        named.kind,
        named.period_begin,
        named.period_end,
        named.state,
        named.entry,
        named.product_id,
        named.place,
        named.money,
        named.price_source,
        named.units::numeric,
        named.amount,
        named.unit_price,
        named.is_in_books,
        named.is_in_pacific,
        named.is_sale,
        named.entry in ('refunded', 'unlisted_refunded'),
        named.entry in ('unlisted', 'unlisted_refunded'),
        named.is_sale and named.is_in_pacific and named.entry <> 'upgraded',
        month.kind is not null
    from named
    left join month using (kind, period_begin, period_end)
$$
