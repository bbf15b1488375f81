import type { Node, ObjectProperty, Program } from 'oxc-parser'

import { isPure } from './is-pure.ts'
import type { Elsewhere, Part, PartForm, ReadModule } from './parts.ts'
import { isFunctionNode, nameOf, PartReader } from './read-parts.ts'

/** Parses a module; `parseSync` of oxc-parser. */
export type Parse = (file: string, text: string) => { readonly program: Program }

/** Tables of methods, from which a prototype is made, and the table of errors. Only names lead to their rows. */
const TABLES = /(?:Members|_MEMBERS|errorTable)$/

/** What makes a method that refuses calls after the start, and names of further such methods. */
const REGISTRATIONS = new Set(['registration', 'decorates', 'sets', 'addHook', 'after', 'all', 'route'])

/** What bundlers read as well. */
const MARK = /\/\* *[@#]__PURE__ *\*\/\s*$/

/** Reads the parts of a module. */
export function readModule(file: string, text: string, parse: Parse): ReadModule {
  return new ModuleReader(file, text).read(parse(file, text).program)
}

class ModuleReader implements ReadModule {
  readonly file: string
  readonly text: string
  readonly imports: Map<string, Elsewhere> = new Map()
  readonly exported: Map<string, string | Elsewhere> = new Map()
  readonly stars: string[] = []
  readonly #reader: PartReader
  readonly #module: Part

  constructor(file: string, text: string) {
    this.file = file
    this.text = text
    this.#reader = new PartReader(file)
    this.#module = this.#reader.part('module')
  }

  get parts(): readonly Part[] {
    return this.#reader.parts
  }

  read({ body }: Program): this {
    for (const node of body) this.#statement(node)
    return this
  }

  #statement(node: Node): void {
    switch (node.type) {
      case 'ImportDeclaration':
        for (const one of node.specifiers) {
          const name =
            one.type === 'ImportSpecifier'
              ? nameOf(one.imported)
              : one.type === 'ImportDefaultSpecifier'
                ? 'default'
                : '*'
          this.imports.set(one.local.name, { source: node.source.value, name })
        }
        return
      case 'ExportAllDeclaration':
        this.stars.push(node.source.value)
        return
      case 'ExportNamedDeclaration':
        if (node.declaration !== null) this.#export(node.declaration)
        for (const { local, exported } of node.specifiers) {
          const name = nameOf(local)
          this.exported.set(
            nameOf(exported),
            node.source === null ? name : { source: node.source.value, name },
          )
        }
        return
      case 'FunctionDeclaration':
        this.#reader.body(
          node,
          this.#reader.part('declaration', { name: node.id?.name ?? '', form: 'function' }),
        )
        return
      case 'ClassDeclaration':
        this.#reader.classOf(
          node,
          this.#reader.part('declaration', { name: node.id?.name ?? '', form: 'class' }),
        )
        return
      case 'VariableDeclaration':
        for (const { id, init } of node.declarations)
          if (id.type === 'Identifier') this.#variable(id.name, init)
          else this.#reader.all([id, init], this.#module)
        return
      default:
        this.#reader.visit(node, this.#module)
    }
  }

  #export(node: Node): void {
    this.#statement(node)
    const names =
      node.type === 'VariableDeclaration'
        ? node.declarations.map(({ id }) => nameOf(id))
        : 'id' in node
          ? [nameOf(node.id)]
          : []
    for (const name of names) this.exported.set(name, name)
  }

  #variable(name: string, init: Node | null): void {
    if (isFunctionNode(init))
      return this.#reader.body(init, this.#reader.part('declaration', { name, form: 'function' }))
    if (init?.type === 'ClassExpression')
      return this.#reader.classOf(init, this.#reader.part('declaration', { name, form: 'class' }))
    const isTable = init?.type === 'ObjectExpression' && TABLES.test(name)
    const form = isTable || isPure(init) || this.#isMarkedPure(init) ? 'data' : 'effect'
    const part = this.#reader.part('declaration', { name, form })
    if (!isTable) return this.#reader.visit(init, part)
    for (const property of init.properties)
      if (property.type === 'SpreadElement') {
        this.#shortRows(property.argument, part)
        this.#reader.visit(property, part)
      } else this.#row(property, part)
  }

  #row(property: ObjectProperty, table: Part): void {
    const { kind, key, value, computed, start, end } = property
    const name = computed ? nameOfSymbol(key) : nameOf(key)
    if (name === '') return this.#reader.visit(property, table)
    const form = kind === 'init' ? formOf(name, value) : 'getter'
    const member = this.#reader.part('member', { name, form, range: [start, end], owner: table })
    if (isFunctionNode(value)) this.#reader.body(value, member)
    else this.#reader.visit(value, member)
  }

  #isMarkedPure(node: Node | null): boolean {
    return node !== null && MARK.test(this.text.slice(Math.max(0, node.start - 20), node.start))
  }

  /** `shortRows('NAME detail;OTHER detail')`: each of them is a row of the table of errors. */
  #shortRows(node: Node, table: Part): void {
    if (node.type !== 'CallExpression' || nameOf(node.callee) !== 'shortRows') return
    const [list] = node.arguments
    if (list?.type !== 'Literal' || typeof list.value !== 'string') return
    let start = list.start + 1
    for (const row of list.value.split(';')) {
      const [name = ''] = row.split(' ')
      this.#reader.part('member', { name, range: [start, start + row.length], owner: table })
      start += row.length + 1
    }
  }
}

function formOf(name: string, value: Node): PartForm {
  if (value.type !== 'CallExpression') return isFunctionNode(value) ? 'function' : 'data'
  return REGISTRATIONS.has(nameOf(value.callee)) || REGISTRATIONS.has(name) ? 'registration' : 'function'
}

/** A well-known symbol goes by its name. */
function nameOfSymbol(key: Node): string {
  const isSymbol = key.type === 'MemberExpression' && !key.computed && nameOf(key.object) === 'Symbol'
  return isSymbol ? nameOf(key.property) : ''
}
