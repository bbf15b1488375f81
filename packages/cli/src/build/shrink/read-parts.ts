import type { ArrowFunctionExpression, Class, Function as FunctionNode, Node } from 'oxc-parser'

import { Part, type PartForm, type Spot } from './parts.ts'

/** A function that is an expression. */
export type AnyFunctionNode = FunctionNode | ArrowFunctionExpression

/** Methods and functions that call the functions that they get before they return, or while the app starts. */
const AT_ONCE = new Set(
  (
    'map filter some every find findIndex findLast flatMap forEach sort toSorted reduce replace replaceAll from ' +
    'remember forRequestHooks hooksOf withCall registration withPrefix inTurn'
  ).split(' '),
)

/** What lists the rows of a table. */
const LISTS = new Set(['keys', 'entries', 'values'])

/** Objects of the platform: their members are none of ours. */
const PLATFORM = new Set(
  'Object Reflect String Array Math JSON Number Promise Symbol Error Date Map Set'.split(' '),
)

const NAME = /^[\w$]+$/

/** Reads what the parts of a module call, read and make. */
export class PartReader {
  readonly parts: Part[] = []
  readonly #file: string

  constructor(file: string) {
    this.#file = file
  }

  /** Adds a part. */
  part(...[kind, given]: [kind: Part['kind'], given?: ConstructorParameters<typeof Part>[2]]): Part {
    const part = new Part(this.#file, kind, given)
    this.parts.push(part)
    part.parent?.closures.push(part)
    return part
  }

  /** Reads a class: its constructor belongs to it, its methods are parts. */
  classOf({ superClass, body }: Class, part: Part): void {
    this.visit(superClass, part)
    for (const member of body.body) {
      if (member.type !== 'MethodDefinition' || member.computed) {
        this.visit(member, part)
        continue
      }
      const { key, kind, value, start, end } = member
      if (kind === 'constructor') {
        this.all([...value.params, value.body], part)
        continue
      }
      const form: PartForm = kind === 'method' ? 'function' : 'getter'
      this.body(
        value,
        this.part('member', { name: this.#member(key), form, range: [start, end], owner: part }),
      )
    }
  }

  /** A private member belongs to its module. */
  #member(key: Node): string {
    return key.type === 'PrivateIdentifier' ? `#${key.name} ${this.#file}` : nameOf(key)
  }

  /** Reads a function. */
  body({ params, body }: AnyFunctionNode, part: Part): void {
    this.all(params, part)
    if (body === null) return
    this.#spot(body, body.type === 'BlockStatement' ? 'block' : 'expression', part)
    this.visit(body, part)
  }

  #spot({ start, end }: Node, kind: Spot['kind'], part: Part): void {
    part.spots.push({ start, end, kind })
  }

  /** Reads several nodes. */
  all(nodes: readonly (Node | null)[], part: Part): void {
    for (const node of nodes) this.visit(node, part)
  }

  /** Reads a node of a part. */
  visit(node: Node | null, part: Part): void {
    if (node === null) return
    switch (node.type) {
      case 'Identifier':
        part.values.add(node.name)
        return
      case 'PrivateIdentifier':
        part.memberValues.add(this.#member(node))
        return
      case 'Literal':
        if (typeof node.value === 'string' && NAME.test(node.value)) part.words.add(node.value)
        return
      case 'ArrayExpression':
        // What reads members by a list of names does without those that are left out.
        this.all(
          node.elements.filter((one) => !isNameInList(one)),
          part,
        )
        return
      case 'CallExpression':
      case 'NewExpression':
        this.#call(node.callee, node.arguments, part)
        return
      case 'MemberExpression':
        this.visit(node.object, part)
        if (node.computed) this.visit(node.property, part)
        else if (!isOfPlatform(node.object)) part.memberValues.add(this.#member(node.property))
        return
      case 'FunctionExpression':
      case 'ArrowFunctionExpression':
        this.body(node, this.part('closure', { form: 'function', parent: part }))
        return
      case 'FunctionDeclaration':
        this.body(node, this.part('closure', { form: 'function', parent: part, name: node.id?.name ?? '' }))
        return
      case 'VariableDeclarator':
        this.#local(node.id, node.init, part)
        return
      case 'ClassDeclaration':
      case 'ClassExpression':
        this.classOf(node, part)
        return
      default:
        this.#branches(node, part)
    }
  }

  #branches(node: Node, part: Part): void {
    switch (node.type) {
      case 'BlockStatement':
        this.#rests(node.body, part)
        this.all(node.body, part)
        return
      case 'BinaryExpression':
        this.visit(node.left, part)
        if (node.operator !== 'instanceof' || node.right.type !== 'Identifier') this.visit(node.right, part)
        return
      case 'IfStatement': {
        const { test, consequent, alternate } = node
        this.visit(test, part)
        this.#branch(consequent, part)
        if (alternate?.type === 'IfStatement') this.visit(alternate, part)
        else if (alternate !== null) this.#branch(alternate, part)
        return
      }
      case 'ForOfStatement':
      case 'ForInStatement':
        this.all([node.left, node.right], part)
        this.#branch(node.body, part)
        return
      case 'ConditionalExpression':
        this.visit(node.test, part)
        this.#branch(node.consequent, part, 'expression')
        this.#branch(node.alternate, part, 'expression')
        return
      case 'LogicalExpression':
        this.visit(node.left, part)
        this.#branch(node.right, part, 'expression')
        return
      case 'Property':
        if (node.computed) this.visit(node.key, part)
        // The rows of the table of stages: what makes a stage runs when a plan needs it.
        if (nameOf(node.key) === 'stage' && isFunctionNode(node.value)) this.body(node.value, part)
        else this.visit(node.value, part)
        return
      case 'ObjectPattern':
        for (const property of node.properties) {
          if (property.type === 'Property' && !property.computed) part.memberValues.add(nameOf(property.key))
          this.visit(property, part)
        }
        return
      case 'MethodDefinition':
      case 'PropertyDefinition':
        if (node.computed) this.visit(node.key, part)
        this.visit(node.value, part)
        return
      default:
        for (const value of Object.values(node)) this.#children(value, part)
    }
  }

  /** What comes after a condition that may leave the block. */
  #rests(statements: readonly Node[], part: Part): void {
    const end = statements.at(-1)?.end ?? 0
    for (const [index, statement] of statements.entries()) {
      const rest = statements.slice(index + 1)
      const [first] = rest
      if (first !== undefined && mayLeave(statement) && !rest.some(isHoisted))
        part.spots.push({ start: first.start, end, kind: 'statement' })
    }
  }

  #children(value: unknown, part: Part): void {
    if (Array.isArray(value)) for (const one of value) this.#children(one, part)
    else if (isNode(value)) this.visit(value, part)
  }

  #branch(
    node: Node,
    part: Part,
    kind: Spot['kind'] = node.type === 'BlockStatement' ? 'block' : 'statement',
  ): void {
    this.#spot(node, kind, part)
    this.visit(node, part)
  }

  /** A function in a variable is one of its own, which may be called by its name. */
  #local(id: Node, init: Node | null, part: Part): void {
    if (id.type !== 'Identifier') this.visit(id, part)
    if (isFunctionNode(init) && id.type === 'Identifier')
      this.body(init, this.part('closure', { form: 'function', parent: part, name: id.name }))
    else this.visit(init, part)
  }

  #call(callee: Node, given: readonly Node[], part: Part): void {
    let name = ''
    if (callee.type === 'Identifier') {
      name = callee.name
      part.calls.add(name)
    } else if (callee.type === 'MemberExpression' && !callee.computed) {
      const { object, property } = callee
      name = nameOf(property)
      this.visit(object, part)
      if (!isOfPlatform(object)) part.memberCalls.add(this.#member(property))
    } else this.visit(callee, part)
    const isAtOnce = AT_ONCE.has(name)
    if (LISTS.has(name) && isOfPlatform(callee.type === 'MemberExpression' ? callee.object : callee))
      for (const one of given) if (one.type === 'Identifier') part.lists.add(one.name)
    for (const one of given)
      if (isAtOnce && isFunctionNode(one)) this.body(one, part)
      else if (isAtOnce && one.type === 'Identifier') part.calls.add(one.name)
      else this.visit(one, part)
  }
}

/** Names of errors are in capital letters. */
function isNameInList(node: Node | null): boolean {
  return node?.type === 'Literal' && typeof node.value === 'string' && node.value !== node.value.toUpperCase()
}

function mayLeave(node: Node): boolean {
  if (node.type !== 'IfStatement' || node.alternate !== null) return false
  const { consequent } = node
  const last = consequent.type === 'BlockStatement' ? consequent.body.at(-1) : consequent
  return last !== undefined && ['ReturnStatement', 'ThrowStatement', 'ContinueStatement'].includes(last.type)
}

function isHoisted({ type }: Node): boolean {
  return type === 'FunctionDeclaration' || type === 'ClassDeclaration'
}

function isOfPlatform(node: Node): boolean {
  return node.type === 'Identifier' && PLATFORM.has(node.name)
}

function isNode(value: unknown): value is Node {
  return typeof value === 'object' && value !== null && 'type' in value && typeof value.type === 'string'
}

/** Whether a node is a function that is an expression. */
export function isFunctionNode(node: Node | null): node is AnyFunctionNode {
  return node?.type === 'FunctionExpression' || node?.type === 'ArrowFunctionExpression'
}

/** Returns the name of an identifier or a key. */
export function nameOf(node: Node | null): string {
  switch (node?.type) {
    case 'Identifier':
    case 'PrivateIdentifier':
      return node.name
    case 'Literal':
      return String(node.value)
    default:
      return ''
  }
}
