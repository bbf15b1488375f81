import { SchemaError } from '@cloister/schema'

import { assertOpen } from '../boot/seal.ts'
import { adaptHook } from '../context/adapt-hook.ts'
import { createJsonParser, parseText } from '../context/default-parsers.ts'
import type { Poisoning } from '../context/default-parsers.ts'
import { checkParserKey, checkParserOptions } from '../context/parser-options.ts'
import { createError } from '../errors.ts'
import { isFunction, isRecord } from '../functions.ts'
import type { AnyFunction } from '../functions.ts'
import { Place } from '../place.ts'
import { kContext } from '../symbols.ts'
import { SettingRegistration } from './settings.ts'

/** What an app lets plugins say about content: shared schemas and body parsers. */
export class ContentRegistration extends SettingRegistration {
  addSchema(schema: unknown): this {
    const place = new Place(this.addSchema)
    const context = this[kContext]
    assertOpen(context.app, 'add a shared schema')
    const bucket = context.bucket()
    if (bucket !== null) {
      bucket.add(schema)
      return this
    }
    try {
      context.schemas.add(schema, place)
    } catch (cause) {
      throw explain(cause, schema, place)
    }
    return this
  }

  getSchema(id: string): unknown {
    const context = this[kContext]
    const bucket = context.bucket()
    return bucket === null ? context.schemas.get(id) : bucket.getSchema(id)
  }

  getSchemas(): unknown {
    const context = this[kContext]
    const bucket = context.bucket()
    return bucket === null ? { ...context.schemas.all() } : bucket.getSchemas()
  }

  addContentTypeParser(types: unknown, first: unknown, second?: unknown): this {
    const place = new Place(this.addContentTypeParser)
    assertParsersOpen(this, 'addContentTypeParser')
    const context = this[kContext]
    const given = isRecord(first) ? first : {}
    const fn = isFunction(first) ? first : second
    const options = checkParserOptions(given, fn)
    if (!isFunction(fn)) return this
    const who = (): string => `the parser of '${[types].flat().join(', ')}', added at ${place.toString()},`
    const parse = adaptHook(fn, 2, context.instance, who)
    for (const type of [types].flat()) {
      context.parsers.add(checkParserKey(type), { ...options, parse, isDefault: false, place })
    }
    return this
  }

  hasContentTypeParser(type: unknown): boolean {
    return this[kContext].parsers.find(checkParserKey(type)) !== null
  }

  removeContentTypeParser(types: unknown): this {
    assertParsersOpen(this, 'removeContentTypeParser')
    for (const type of [types].flat()) this[kContext].parsers.remove(checkParserKey(type))
    return this
  }

  removeAllContentTypeParsers(): this {
    assertParsersOpen(this, 'removeAllContentTypeParsers')
    this[kContext].parsers.removeAll()
    return this
  }

  /** A JSON parser in the form that `addContentTypeParser` takes. */
  getDefaultJsonParser(onProtoPoisoning?: Poisoning, onConstructorPoisoning?: Poisoning): AnyFunction {
    const { options } = this[kContext].app
    const parse = createJsonParser(
      onProtoPoisoning ?? options.onProtoPoisoning,
      onConstructorPoisoning ?? options.onConstructorPoisoning,
    )
    return withCallback(parse)
  }

  get defaultTextParser(): AnyFunction {
    return withCallback(parseText)
  }
}

function assertParsersOpen(instance: ContentRegistration, method: string): void {
  assertOpen(instance[kContext].app, method, (when) =>
    createError('CTP_INSTANCE_ALREADY_STARTED', { method, when }),
  )
}

/** Parsers of the framework that user code passes around take `done`, and answer without it too. */
function withCallback(parse: (...args: unknown[]) => unknown): AnyFunction {
  return function parser(request: unknown, body: unknown, done?: unknown): unknown {
    if (!isFunction(done)) return parse(request, body)
    let value: unknown
    try {
      value = parse(request, body)
    } catch (error) {
      done(error)
      return undefined
    }
    done(null, value)
    return undefined
  }
}

function explain(cause: unknown, schema: unknown, place: Place): unknown {
  if (!(cause instanceof SchemaError)) return cause
  const id = isRecord(schema) ? String(schema['$id']) : ''
  if (cause.code === 'ID_MISSING') return createError('SCH_MISSING_ID', { reason: cause.message }, { cause })
  if (cause.code === 'ID_DUPLICATE')
    return createError('SCH_ALREADY_PRESENT', { id, reason: cause.message }, { cause })
  const details = { route: `$id "${id}"`, reason: cause.message, place: place.toString() }
  return createError('SCH_INVALID', details, { cause })
}
