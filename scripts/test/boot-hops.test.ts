import cloister from 'cloister'
import { afterEach, expect, it, vi } from 'vitest'
import { SchemaValidator } from '../../packages/schema/src/validator/schema-validator.ts'

const original = SchemaValidator.prototype.acceptor

/** The functions that are on the stack, the innermost first. */
function namesOnStack(): string[] {
  const lines = String(new Error('a stack').stack).split('\n')
  return lines.flatMap(
    (line) => /at (?:new )?(?:async )?(?:\w+\.)?(#?\w+) \(/.exec(line)?.[1] ?? '(a function)',
  )
}

afterEach(() => {
  vi.restoreAllMocks()
})

it('a boot goes from compilePart to the functions of a schema in five steps', async () => {
  const { stackTraceLimit } = Error
  Error.stackTraceLimit = 100
  const stacks: string[][] = []
  vi.spyOn(SchemaValidator.prototype, 'acceptor').mockImplementation(function acceptor(
    this: SchemaValidator,
  ) {
    stacks.push(namesOnStack())
    return original.call(this)
  })
  try {
    const app = cloister({ schemaCompilation: 'eager' })
    const params = { type: 'object', properties: { id: { type: 'integer' } } }
    app.get('/:id', { schema: { params } }, async (request) => request.params)
    await app.ready()
  } finally {
    Error.stackTraceLimit = stackTraceLimit
  }
  const [stack = []] = stacks
  const steps = stack.slice(stack.lastIndexOf('acceptor'), stack.indexOf('compilePart'))
  expect(steps).toEqual(['acceptor', 'prepare', 'get', 'compileValidator', 'compileInput'])
})
