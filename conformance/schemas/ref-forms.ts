/**
 * The forms of `$ref`, once, for the validator and for the serializer alike.
 *
 * Each case is a schema whose references end at an object with an integer `n`: `{ at: { n } }` is admitted when
 * `n` is an integer and refused when it is a word; a serializer prints `{ at: { n } }` and drops what is not
 * declared.
 */

/** A JSON Schema as an application writes it. */
export type SchemaObject = Record<string, unknown>

/** One way to write a reference. */
export interface RefForm {
  readonly name: string
  readonly shared: readonly SchemaObject[]
  readonly schema: SchemaObject
}

const leaf: SchemaObject = {
  type: 'object',
  required: ['n'],
  properties: { n: { type: 'integer' } },
}

const at = ($ref: string): SchemaObject => ({
  type: 'object',
  required: ['at'],
  properties: { at: { $ref } },
})

/** The five forms of the interface, and the path form under `properties`. */
export const REF_FORMS: readonly RefForm[] = [
  {
    name: '#<name>',
    shared: [],
    schema: { ...at('#leaf'), definitions: { any: { ...leaf, $id: '#leaf' } } },
  },
  {
    name: '#/definitions/<name>',
    shared: [],
    schema: { ...at('#/definitions/leaf'), definitions: { leaf } },
  },
  { name: '<shared>#', shared: [{ $id: 'leaf', ...leaf }], schema: at('leaf#') },
  {
    name: '<shared>#/definitions/<name>',
    shared: [{ $id: 'lib', type: 'object', definitions: { leaf } }],
    schema: at('lib#/definitions/leaf'),
  },
  {
    name: '<shared>#/properties/<name>',
    shared: [{ $id: 'lib', type: 'object', properties: { leaf } }],
    schema: at('lib#/properties/leaf'),
  },
  {
    name: '<shared>#<name>',
    shared: [{ $id: 'lib', type: 'object', definitions: { any: { ...leaf, $id: '#leaf' } } }],
    schema: at('lib#leaf'),
  },
]

/** The same forms, reached through several schemas, or under ids that are addresses. */
export const REF_ROUTES: readonly RefForm[] = [
  { name: '<shared> without a fragment', shared: [{ $id: 'leaf', ...leaf }], schema: at('leaf') },
  {
    name: 'three hops over shared schemas',
    shared: [
      { $id: 'one', type: 'object', properties: { x: { $ref: 'two#/definitions/x' } } },
      { $id: 'two', type: 'object', definitions: { x: { $ref: 'three#' } } },
      { $id: 'three', ...leaf },
    ],
    schema: at('one#/properties/x'),
  },
  {
    name: 'a shared schema that refers to its own definitions',
    shared: [
      {
        $id: 'lib',
        type: 'object',
        definitions: { leaf },
        properties: { x: { $ref: '#/definitions/leaf' } },
      },
    ],
    schema: at('lib#/properties/x'),
  },
  {
    name: 'a shared schema that refers to its own named subschema',
    shared: [
      {
        $id: 'lib',
        type: 'object',
        definitions: { any: { ...leaf, $id: '#leaf' } },
        properties: { x: { $ref: '#leaf' } },
      },
    ],
    schema: at('lib#/properties/x'),
  },
  {
    name: 'an absolute URI as id',
    shared: [{ $id: 'https://schemas.test/leaf.json', ...leaf }],
    schema: at('https://schemas.test/leaf.json#'),
  },
  {
    name: 'a path inside an absolute URI',
    shared: [{ $id: 'https://schemas.test/lib.json', type: 'object', definitions: { leaf } }],
    schema: at('https://schemas.test/lib.json#/definitions/leaf'),
  },
  {
    name: 'a named subschema of an absolute URI',
    shared: [
      {
        $id: 'https://schemas.test/lib.json',
        type: 'object',
        definitions: { any: { ...leaf, $id: '#leaf' } },
      },
    ],
    schema: at('https://schemas.test/lib.json#leaf'),
  },
  {
    name: 'a relative reference between absolute URIs',
    shared: [
      { $id: 'https://schemas.test/leaf.json', ...leaf },
      { $id: 'https://schemas.test/lib.json', type: 'object', properties: { x: { $ref: 'leaf.json#' } } },
    ],
    schema: at('https://schemas.test/lib.json#/properties/x'),
  },
  {
    name: 'an origin as id, referred to without its slash',
    shared: [{ $id: 'https://schemas.test/', type: 'object', definitions: { leaf } }],
    schema: at('https://schemas.test#/definitions/leaf'),
  },
  {
    name: 'a URN as id',
    shared: [{ $id: 'urn:test:leaf', ...leaf }],
    schema: at('urn:test:leaf#'),
  },
  {
    name: 'a definition whose name has a slash and a tilde',
    shared: [{ $id: 'lib', type: 'object', definitions: { 'a/b~c': leaf } }],
    schema: at('lib#/definitions/a~1b~0c'),
  },
  {
    name: 'a reference inside allOf',
    shared: [{ $id: 'leaf', ...leaf }],
    schema: { type: 'object', required: ['at'], properties: { at: { allOf: [{ $ref: 'leaf#' }] } } },
  },
  {
    name: 'a reference inside anyOf',
    shared: [{ $id: 'leaf', ...leaf }],
    schema: {
      type: 'object',
      required: ['at'],
      properties: { at: { anyOf: [{ type: 'boolean' }, { $ref: 'leaf#' }] } },
    },
  },
]
