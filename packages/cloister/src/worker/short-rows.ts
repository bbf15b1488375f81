/** A row of the catalogue of errors about a mistake of the app. */
interface ShortRow {
  readonly status: 500
  readonly fault: 'app'
  readonly message: string
}

/**
 * Returns the rows of errors whose messages are their names and details.
 *
 * @param list - names, each followed by the names of its details, as in `GUARD_INVALID name problem;REP_ALREADY_SENT`
 */
export function shortRows(list: string): Record<string, ShortRow> {
  const rows = list.split(';').map((row): [string, ShortRow] => {
    const [name = '', ...details] = row.split(' ')
    const text = name.toLowerCase().replaceAll('_', ' ')
    const shown = details.map((detail) => `{${detail}}`).join(', ')
    return [name, { status: 500, fault: 'app', message: shown === '' ? text : `${text}: ${shown}` }]
  })
  return Object.fromEntries(rows)
}
