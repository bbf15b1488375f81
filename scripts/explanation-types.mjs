// Writes the types of the result of `app.explain()` from its JSON Schema: an interface for each definition with a
// title. The schema's list of hooks comes from the table of hooks. With `--check`, only reports whether both are up to
// date.
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { keepWritten } from './lib/keep-written.mjs'
import { loadSource } from './lib/load-source.mjs'

/**
 * The part of JSON Schema that the description of an app uses.
 *
 * @typedef {object} Schema
 * @property {string} [title] the name of its interface
 * @property {string} [description]
 * @property {string} [$ref]
 * @property {string | string[]} [type]
 * @property {unknown} [const]
 * @property {unknown[]} [enum]
 * @property {Schema[]} [oneOf]
 * @property {Schema} [items]
 * @property {Record<string, Schema>} [properties]
 * @property {Schema | false} [additionalProperties]
 */

const source = 'docs/explanation.schema.json'
const { HOOKS } = /** @type {{ HOOKS: Record<string, unknown> }} */ (
  await loadSource(path.join(process.cwd(), 'packages/cloister/src/hooks/names.ts'))
)
const hooks = Object.keys(HOOKS).map((name) => JSON.stringify(name))
const text = readFileSync(source, 'utf8').replace(
  /"enum": \["onRequest"[^\]]*\]/,
  `"enum": [${hooks.join(', ')}]`,
)
keepWritten(source, text, 'the table of hooks')

/** @type {{ definitions: Record<string, Schema> }} */
const { definitions } = JSON.parse(text)

/** @param {string} ref */
function target(ref) {
  const found = definitions[ref.replace('#/definitions/', '')]
  if (found === undefined) throw new Error(`${source} has no ${ref}`)
  return found
}

/**
 * Returns the TypeScript type of a schema.
 *
 * @param {Schema} schema
 * @returns {string}
 */
function typeOf(schema) {
  const { $ref, type, items, oneOf, additionalProperties } = schema
  if ($ref !== undefined) return target($ref).title ?? typeOf(target($ref))
  if ('const' in schema) return literal(schema.const)
  if (schema.enum !== undefined) return schema.enum.map(literal).join(' | ')
  if (oneOf !== undefined) return oneOf.map(typeOf).join(' | ')
  if (items !== undefined) return `readonly ${typeOf(items)}[]`
  if (additionalProperties) return `Readonly<Record<string, ${typeOf(additionalProperties)}>>`
  return [type ?? 'unknown']
    .flat()
    .map((name) => (name === 'integer' ? 'number' : name))
    .join(' | ')
}

/** @param {unknown} value */
function literal(value) {
  return typeof value === 'string' ? `'${value}'` : String(value)
}

/** @param {[string, Schema]} property */
function memberText([name, schema]) {
  const doc = schema.description ?? (schema.$ref === undefined ? '' : target(schema.$ref).description)
  return `  /** ${doc} */\n  readonly ${name}: ${typeOf(schema)}\n`
}

/** Returns the index signature of an interface with members of any name. @param {Schema | false} further */
function furtherText(further) {
  return further ? `  /** ${further.description} */\n  readonly [name: string]: ${typeOf(further)}\n` : ''
}

const interfaces = Object.values(definitions).flatMap(
  ({ title, description, properties = {}, additionalProperties = false }) =>
    title === undefined
      ? []
      : `
/** ${description} */
export interface ${title} {
${Object.entries(properties).map(memberText).join('')}${furtherText(additionalProperties)}}
`,
)

keepWritten(
  'packages/cloister/src/types/description.generated.ts',
  `// Made by \`npm run docs:options\` from ${source}. Do not edit.
${interfaces.join('')}`,
  'the JSON Schema of explanations',
)
