import type { Field } from '../src/request-form.ts'

/** A field with what the user has entered. */
export interface Entered {
  readonly field: Field
  readonly text: string
}

/** Writes fields into the JSON text of a body. What they do not know stays as it is, and so does text without JSON. */
export function withFields(text: string, entered: readonly Entered[]): string {
  let value: unknown
  try {
    value = JSON.parse(text === '' ? '{}' : text)
  } catch {
    return text
  }
  const known = entered.flatMap(({ field, text: one }) => {
    const given = valueOf(field, one)
    return given === undefined ? [] : [[field.name, given] as const]
  })
  const names = new Set(entered.map(({ field }) => field.name))
  const given = typeof value === 'object' && value !== null ? Object.entries(value) : []
  const others = given.filter(([name]) => !names.has(name))
  return JSON.stringify(Object.fromEntries([...known, ...others]), null, 2)
}

/** A value that its kind does not allow goes as it is: so one sees how it is refused. */
function valueOf({ kind, choices }: Field, text: string): unknown {
  if (kind === 'choice') return text === '' && !choices.includes('') ? undefined : text
  if (text === '') return undefined
  if (kind === 'text') return text
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}
