import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { describe, expect, it } from 'vitest'
import { code } from '../../src/codegen/code.ts'
import { CodeWriter } from '../../src/codegen/writer.ts'
import { SchemaScope } from '../../src/document/location.ts'
import * as runtime from '../../src/runtime/index.ts'
import { compileAcceptor } from '../../src/validator/acceptor-code.ts'
import { readWalkSettings } from '../../src/validator/policy.ts'
import { SchemaValidator, ValidatorTables } from '../../src/validator/schema-validator.ts'
import { printModule } from './print-module.ts'

const SCHEMA = {
  type: 'object',
  properties: {
    id: { type: 'integer', default: 3 },
    mail: { type: 'string', format: 'email', pattern: '^[^@]+@[^@]+$' },
    slug: { type: 'string', pattern: '^([a-z]+-?)*$' },
    tags: {
      type: 'array',
      items: { enum: Array.from({ length: 20 }, (_, n) => `tag ${n}`) },
      uniqueItems: true,
    },
    __proto: { $ref: 'address#' },
  },
  required: ['mail'],
  additionalProperties: false,
}
const ADDRESS = {
  $id: 'address',
  type: 'object',
  properties: Object.fromEntries(
    Array.from({ length: 9 }, (_, n) => [`line${n}`, { type: 'string', maxLength: 9 }]),
  ),
}

async function load(text: string): Promise<unknown> {
  const folder = mkdtempSync(path.join(tmpdir(), 'printed-'))
  try {
    const file = path.join(folder, 'accept.mjs')
    writeFileSync(file, text)
    const module: unknown = await import(/* @vite-ignore */ file)
    return typeof module === 'object' && module !== null && 'default' in module ? module.default : undefined
  } finally {
    rmSync(folder, { recursive: true })
  }
}

describe('a unit as a module', () => {
  it('imports the runtime by name and does what the compiled function does', async () => {
    const scope = new SchemaScope({ get: () => ADDRESS, ids: () => ['address'] })
    const tables = new ValidatorTables(readWalkSettings())
    const { root } = new SchemaValidator(scope.open(SCHEMA), scope, tables)
    const compiled = compileAcceptor(root, new WeakMap())
    const text = printModule(compiled.unit, path.resolve(import.meta.dirname, '../../src/runtime/index.ts'))
    expect(text).toMatch(/^import \{ .*codePointLength.*createFiniteCoercer.* \} from /)
    expect(text).toContain('compileExpression("^([a-z]+-?)*$", "u")')
    expect(text).not.toContain('Function')
    const accept = await load(text)
    for (const value of [
      { mail: 'a@b.cc', id: '7', extra: 1 },
      { mail: 'a@b.cc', tags: ['tag 1', 'tag 2'], __proto: { line1: 'x' } },
      { mail: 'a@b.cc', tags: ['tag 1', 'tag 1'] },
      { mail: 'no' },
      { mail: 'a@b.cc', slug: 'a-slug' },
      { mail: 'a@b.cc', slug: `${'a'.repeat(1000)}!` },
      {},
    ]) {
      const [one, other] = [structuredClone(value), structuredClone(value)]
      const accepted = compiled.value(one)
      expect(typeof accept === 'function' ? Reflect.apply(accept, undefined, [other]) : undefined).toBe(
        accepted,
      )
      expect(other).toEqual(one)
    }
  })

  it('cannot hold what JSON cannot carry', () => {
    const writer = new CodeWriter()
    writer.line(code`return ${writer.bind({ kind: 'literal', value: { a: () => 1 } }, 'literal')}`)
    expect(() => printModule(writer.toUnit(), 'runtime')).toThrow('a function has no literal')
  })
})

describe('the runtime', () => {
  it('has no name that generated code could give to a variable of its own', () => {
    for (const name of Object.keys(runtime)) expect(name).toMatch(/^[A-Za-z]{5,}$/)
  })
})

describe('text becomes code', () => {
  const source = path.resolve(import.meta.dirname, '../../src')
  const files = readdirSync(source, { recursive: true, encoding: 'utf8' }).filter((file) =>
    file.endsWith('.ts'),
  )
  const matching = (pattern: RegExp): string[] =>
    files.filter((file) => pattern.test(readFileSync(path.join(source, file), 'utf8')))

  it('in one file, which one other imports', () => {
    expect(matching(/\bnew Function\(|\beval\(/)).toEqual([path.join('codegen', 'evaluate.ts')])
    expect(matching(/\/evaluate\.ts'/)).toEqual([path.join('codegen', 'compile.ts')])
  })
})
