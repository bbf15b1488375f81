import type { Node } from 'oxc-parser'

const CONTAINERS = new Set(['Map', 'Set', 'WeakMap', 'WeakSet'])

/** Whether the value of an expression can be left out: making it does nothing else. */
export function isPure(node: Node | null): boolean {
  switch (node?.type) {
    case undefined:
    case 'Literal':
    case 'Identifier':
    case 'MemberExpression':
    case 'FunctionExpression':
    case 'ArrowFunctionExpression':
    case 'ClassExpression':
      return true
    case 'TemplateLiteral':
      return node.expressions.every(isPure)
    case 'UnaryExpression':
    case 'SpreadElement':
      return isPure(node.argument)
    case 'BinaryExpression':
    case 'LogicalExpression':
      return isPure(node.left) && isPure(node.right)
    case 'ConditionalExpression':
      return [node.test, node.consequent, node.alternate].every(isPure)
    case 'ArrayExpression':
      return node.elements.every(isPure)
    case 'ObjectExpression':
      return node.properties.every((one) =>
        one.type === 'SpreadElement' ? isPure(one) : isPure(one.value) && (!one.computed || isPure(one.key)),
      )
    case 'NewExpression':
      return (
        node.callee.type === 'Identifier' && CONTAINERS.has(node.callee.name) && node.arguments.every(isPure)
      )
    default:
      return false
  }
}
