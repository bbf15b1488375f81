/** The names of the tables, quoted. */
export interface Tables {
  readonly values: string
  readonly limits: string
  readonly logs: string
  readonly entries: string
  /** the channel that wakes readers */
  readonly channel: string
}

const bare = (name: string): string => name.replace(/^.*\./, '')

/** Returns the tables of a name, which is an identifier that needs no quotes, perhaps behind a schema. */
export function tablesOf(name: string): Tables {
  return {
    values: `${name}_values`,
    limits: `${name}_limits`,
    logs: `${name}_logs`,
    entries: `${name}_entries`,
    channel: `${bare(name)}_wake`,
  }
}

/**
 * The statements that create the tables of {@link postgresState}, for migrations of apps whose role may not create
 * tables. Run them in one transaction.
 *
 * @param name - the option `tables` of the state
 *
 * @example
 * ```ts
 * import { postgresTables } from '@cloister/state'
 *
 * console.log(postgresTables('cloister_state'))
 * ```
 */
export function postgresTables(name: string): string {
  const { values, limits, logs, entries } = tablesOf(name)
  const index = (table: string): string =>
    `create index if not exists ${bare(table)}_expires on ${table} (expires);`
  return `create table if not exists ${values} (
  key text collate "C" primary key, value text not null, version text not null, expires timestamptz not null);
create table if not exists ${limits} (
  key text collate "C" primary key, free_at double precision not null, allowed boolean not null,
  now double precision not null, expires timestamptz not null);
create table if not exists ${logs} (
  log text collate "C" primary key, epoch bigint not null, last bigint not null, expires timestamptz not null);
create table if not exists ${entries} (
  log text collate "C" not null references ${logs} on delete cascade, epoch bigint not null, number bigint not null,
  value text not null, at timestamptz not null, primary key (log, epoch, number));
${[values, limits, logs].map(index).join('\n')}`
}

/** Milliseconds since 1970 by the clock of the store, which goes on in a transaction. */
const NOW = 'extract(epoch from clock_timestamp()) * 1000'
const ttl = (parameter: string): string =>
  `clock_timestamp() + ${parameter}::double precision * interval '1 millisecond'`

/** The statements of the operations. */
export type Statements = Readonly<
  Record<'get' | 'put' | 'putAbsent' | 'putVersion' | 'delete' | 'take' | 'append' | 'read' | 'sweep', string>
>

/** Returns the statements of the operations; each is one transaction. */
export function statementsOf({ values, limits, logs, entries, channel }: Tables): Statements {
  const insert = `insert into ${values} as v values ($1, $2, $3, ${ttl('$4')}) on conflict (key) do update
    set value = excluded.value, version = excluded.version, expires = ${ttl('$4')}`
  const expired = (table: string, key: string): string => `delete from ${table} where ${key} in (
    select ${key} from ${table} where expires <= clock_timestamp() limit 10000 for update skip locked)`
  return {
    sweep: `with swept as (${expired(values, 'key')}), free as (${expired(limits, 'key')}) ${expired(logs, 'log')}`,
    get: `select value, version from ${values} where key = $1 and expires > clock_timestamp()`,
    put: insert,
    putAbsent: `${insert} where v.expires <= clock_timestamp()`,
    putVersion: `update ${values} set value = $2, version = $3, expires = ${ttl('$4')}
      where key = $1 and version = $5 and expires > clock_timestamp()`,
    delete: `delete from ${values} where key = $1 and expires > clock_timestamp() and ($2::text is null or version = $2)`,
    take: takeStatement(limits),
    append: `with head as (
        insert into ${logs} as l values ($1, ${NOW}, 1, ${ttl('$4')}) on conflict (log) do update set
          epoch = case when l.expires > clock_timestamp() then l.epoch else greatest(excluded.epoch, l.epoch + 1) end,
          last = case when l.expires > clock_timestamp() then l.last + 1 else 1 end,
          expires = ${ttl('$4')}
        returning epoch, last),
      entry as (insert into ${entries} select $1, epoch, last, $2, clock_timestamp() from head),
      removed as (
        delete from ${entries} e using head where e.log = $1 and (e.epoch <> head.epoch
          or e.number <= head.last - $3::bigint
          or e.at <= clock_timestamp() - $4::double precision * interval '1 millisecond'))
      select epoch, last, pg_notify('${channel}', $1) from head`,
    read: `with head as (
        select epoch, last, (select min(number) from ${entries} e where e.log = $1 and e.epoch = l.epoch) as first
        from ${logs} l where log = $1 and expires > clock_timestamp())
      select head.epoch, head.last, head.first, e.number, e.value from head left join lateral (
        select number, value from ${entries} where log = $1 and epoch = head.epoch
          and number > case when $2::bigint = head.epoch and $3::bigint <= head.last then $3::bigint else 0 end
        order by number limit $4) e on true order by e.number`,
  }
}

/** Takes by the rule of `decideTake`. Parameters: key, cost, most, period. */
function takeStatement(limits: string): string {
  const most = '$3::double precision'
  const period = '$4::double precision'
  const cost = `($2::double precision * ${period} / ${most})`
  const from = 'greatest(l.free_at, excluded.now)'
  const isAllowed = `${from} + ${cost} - excluded.now - ${period} <= ${period} / ${most} / 1000`
  return `insert into ${limits} as l
    select $1, case when $2::double precision <= ${most} then now + ${cost} else now end,
      $2::double precision <= ${most}, now, ${ttl('$4')}
    from (select (${NOW})::double precision as now) as clock
    on conflict (key) do update set
      free_at = case when ${isAllowed} then ${from} + ${cost} else ${from} end, allowed = ${isAllowed},
      now = excluded.now, expires = excluded.expires
    returning allowed, free_at, now`
}
