/** The table of the two modes, which docs/serialization.md shows and the tests run. */

/** One row: a value under a schema, and its text in each mode. */
export interface ModeRow {
  readonly title: string
  readonly schema: object
  /** The value as source text. */
  readonly shown: string
  readonly value: unknown
  /** JSON text, or an error's reason. */
  readonly compat: string
  readonly strict: string
}

const string = { type: 'string' }
const integer = { type: 'integer' }
const number = { type: 'number' }
const boolean = { type: 'boolean' }
const named = { type: 'object', properties: { name: string }, required: ['name'] }

class Point {
  x = 1
  get y(): number {
    return 2
  }
}

const point = { type: 'object', properties: { x: integer, y: integer } }
const byType = { anyOf: [{ type: 'string' }, { type: 'null' }] }

/** A getter of a class is not an own property. */
export const modeTable: readonly ModeRow[] = [
  row('`null`, string', string, 'null', null, '""', error('a string', 'null')),
  row('`null`, integer or number', integer, 'null', null, '0', error('an integer', 'null')),
  row('`null`, boolean', boolean, 'null', null, 'false', error('a boolean', 'null')),
  row('`null`, object', named, 'null', null, '{}', error('an object', 'null')),
  row('`null`, array', { type: 'array' }, 'null', null, '[]', error('an array', 'null')),
  row('`null`, nullable', { ...string, nullable: true }, 'null', null, 'null', 'null'),
  row('number, string', string, '5', 5, '"5"', error('a string', 'a number')),
  row('boolean, string', string, 'true', true, '"true"', error('a string', 'a boolean')),
  row(
    'regular expression, string',
    string,
    '/a+/',
    /a+/u,
    '"a+"',
    error('a string', 'an instance of RegExp'),
  ),
  row(
    'date, string',
    string,
    'new Date(0)',
    new Date(0),
    '"1970-01-01T00:00:00.000Z"',
    '"1970-01-01T00:00:00.000Z"',
  ),
  row(
    'invalid date, string',
    { type: 'string' },
    'new Date(NaN)',
    new Date(Number.NaN),
    error('a valid date', 'an invalid date'),
    error('a valid date', 'an invalid date'),
  ),
  row(
    'object with its own `toString`, string',
    string,
    "new URL('http://a/')",
    new URL('http://a/'),
    '"http://a/"',
    '"http://a/"',
  ),
  row('array, string', string, '[1, 2]', [1, 2], '"1,2"', error('a string', 'an array')),
  row(
    'plain object, string',
    string,
    '{}',
    {},
    error('a string', 'an object'),
    error('a string', 'an object'),
  ),
  row(
    'function, string',
    string,
    '() => 1',
    () => 1,
    error('a string', 'a function'),
    error('a string', 'a function'),
  ),
  row('fraction, integer', integer, '1.6', 1.6, '1', 'expected an integer instead of 1.6, got a number'),
  row('numeric text, integer', integer, "'12'", '12', '12', error('an integer', 'a string')),
  row('numeric text, number', number, "'1.5'", '1.5', '1.5', error('a number', 'a string')),
  row(
    'other text, number',
    number,
    "'x'",
    'x',
    'The value "x" cannot be converted to a number.',
    error('a number', 'a string'),
  ),
  row('`true`, number', number, 'true', true, '1', error('a number', 'a boolean')),
  row('date, number', number, 'new Date(5)', new Date(5), '5', error('a number', 'an instance of Date')),
  row('bigint, integer', integer, '2n ** 64n', 2n ** 64n, '18446744073709551616', '18446744073709551616'),
  row('bigint, string', string, '5n', 5n, '"5"', error('a string', 'a bigint')),
  row(
    '`NaN`, number',
    number,
    'NaN',
    Number.NaN,
    'The value "NaN" cannot be converted to a number.',
    'expected a finite number instead of NaN, got a number',
  ),
  row(
    '`Infinity`, number',
    number,
    'Infinity',
    Infinity,
    'null',
    'expected a finite number instead of Infinity, got a number',
  ),
  row(
    '`Infinity`, integer',
    integer,
    'Infinity',
    Infinity,
    'The value "Infinity" cannot be converted to an integer.',
    'expected an integer instead of Infinity, got a number',
  ),
  row('text, boolean', boolean, "'yes'", 'yes', 'true', error('a boolean', 'a string')),
  row("`'false'`, boolean", boolean, "'false'", 'false', 'false', error('a boolean', 'a string')),
  row('boxed boolean', boolean, 'new Boolean(false)', Object(false), 'false', 'false'),
  row('any value, `null`', { type: 'null' }, '5', 5, 'null', error('null', 'a number')),
  row(
    'missing property with a default',
    { type: 'object', properties: { a: { ...string, default: 'x' } } },
    '{}',
    {},
    '{"a":"x"}',
    '{"a":"x"}',
  ),
  row('missing required property', named, '{}', {}, '"name" is required!', '"name" is required!'),
  row(
    'undeclared property',
    { type: 'object', properties: { a: integer } },
    '{ a: 1, b: 2 }',
    { a: 1, b: 2 },
    '{"a":1}',
    '{"a":1}',
  ),
  row(
    'required property without a schema',
    { type: 'object', properties: { a: integer }, required: ['b'] },
    '{ a: 1, b: 2 }',
    { a: 1, b: 2 },
    '{"a":1}',
    '{"b":2,"a":1}',
  ),
  row('object that declares nothing', { type: 'object' }, '{ a: 1 }', { a: 1 }, '{}', '{"a":1}'),
  row(
    'property with schema `false`',
    { type: 'object', properties: { a: false } },
    '{ a: 1 }',
    { a: 1 },
    '{}',
    '{}',
  ),
  row('inherited property or getter', point, 'new Point()', new Point(), '{"x":1}', '{"x":1}'),
  row('array, object', point, '[1]', [1], error('an object', 'an array'), error('an object', 'an array')),
  row('text, object', point, "'x'", 'x', error('an object', 'a string'), error('an object', 'a string')),
  row(
    '`Map`, object',
    { type: 'object', additionalProperties: true },
    'new Map([[1, 2]])',
    new Map([[1, 2]]),
    '{}',
    error('a plain object', 'an instance of Map'),
  ),
  row(
    '`Map` without a schema',
    {},
    '{ a: new Map([[1, 2]]) }',
    { a: new Map([[1, 2]]) },
    '{"a":{}}',
    '{"a":{}}',
  ),
  row(
    'promise, object',
    { type: 'object', properties: { a: { type: 'integer' } } },
    'Promise.resolve({ a: 1 })',
    Promise.resolve({ a: 1 }),
    '{}',
    error('a plain object', 'an instance of Promise'),
  ),
  row(
    '`Set`, array',
    { type: 'array' },
    'new Set([1])',
    new Set([1]),
    error('an array', 'an instance of Set'),
    error('an array', 'an instance of Set'),
  ),
  row('other value than `const`', { const: 1 }, '2', 2, '1', 'the value is not the constant of the schema'),
  row(
    'other value than `enum`',
    { type: 'string', enum: ['a'] },
    "'b'",
    'b',
    '"b"',
    'the value is not one of the values of the enum',
  ),
  row('text, date-time', { ...string, format: 'date-time' }, "'soon'", 'soon', '"soon"', '"soon"'),
  row(
    'number, date-time',
    { ...string, format: 'date-time' },
    '5',
    5,
    'The value "5" cannot be converted to a date-time.',
    error('a date-time', 'a number'),
  ),
  row('`format: unsafe`', { ...string, format: 'unsafe' }, "'\"'", '"', '"\\""', '"\\""'),
  row(
    'longer than its tuple',
    { type: 'array', items: [integer] },
    '[1, 2]',
    [1, 2],
    'Item at 1 does not match schema definition.',
    '[1,2]',
  ),
  row(
    'wrong type after a tuple',
    { type: 'array', items: [integer], additionalItems: string },
    '[1, 5]',
    [1, 5],
    '[1,"5"]',
    error('a string', 'a number'),
  ),
  row(
    'wrong type in a tuple',
    { type: 'array', items: [integer] },
    "['1']",
    ['1'],
    error('integer', 'a string'),
    error('an integer', 'a string'),
  ),
  row(
    'several types, none fits',
    { type: ['integer', 'boolean'] },
    "'x'",
    'x',
    error('integer or boolean', 'a string'),
    error('integer or boolean', 'a string'),
  ),
  row(
    'several types without `null`, `null`',
    { type: ['integer', 'boolean'] },
    'null',
    null,
    '0',
    error('integer or boolean', 'null'),
  ),
  row(
    'union, no branch fits',
    byType,
    '5',
    5,
    error('null or string', 'a number'),
    error('null or string', 'a number'),
  ),
  row(
    'no type, other keywords',
    { properties: { a: integer } },
    "'x'",
    'x',
    error('an object', 'a string'),
    '"x"',
  ),
  row(
    'hole or `undefined` in an untyped list',
    { type: 'array' },
    '[1, undefined]',
    [1, undefined],
    '[1,null]',
    '[1,null]',
  ),
  row(
    '`undefined` in a list of strings',
    { type: 'array', items: string },
    '[undefined]',
    [undefined],
    error('a string', 'undefined'),
    error('a string', 'undefined'),
  ),
  row(
    'bigint without a schema',
    {},
    '[5n]',
    [5n],
    'a bigint without a schema has no JSON text; declare an integer',
    'a bigint without a schema has no JSON text; declare an integer',
  ),
]

function row(
  title: string,
  schema: object,
  shown: string,
  value: unknown,
  compat: string,
  strict: string,
): ModeRow {
  return { title, schema, shown, value, compat, strict }
}

function error(expected: string, got: string): string {
  return `expected ${expected}, got ${got}`
}

/** The row as the documentation shows it. */
export function markdownRow({ title, schema, shown, compat, strict }: ModeRow): string {
  const cells = [title, cell(JSON.stringify(schema)), cell(shown), outcome(compat), outcome(strict)]
  return `| ${cells.join(' | ')} |`
}

/** JSON text or the reason of an error. */
export function isJson(text: string): boolean {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}

function outcome(text: string): string {
  return isJson(text) ? cell(text) : `error: ${text.replaceAll('|', '\\|')}`
}

function cell(text: string): string {
  return `\`${text.replaceAll('|', '\\|')}\``
}
