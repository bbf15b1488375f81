import type { MissingRoute, RouteExplanation } from 'cloister'
import type { AppTransport, SerializerExplanation, ValidatorExplanation } from 'cloister/types'

import { printHooks } from './print-routes.ts'
import { printCallSite, printContext, printTable, styled } from './text.ts'
import type { Paper } from './text.ts'

const SERVED_BY = { wire: '@cloister/wire', node: 'node:http' }

/** Prints what requests of a route run and use. */
export function printRoute(route: RouteExplanation, paper: Paper, transport: AppTransport): string {
  const { folder } = paper
  const sections: (readonly [string, string])[] = [
    ['hooks', printHooks(route, paper)],
    ['refuses', printRows(refusalRows(route), paper)],
    ['validates', printRows(validatorRows(route, folder), paper)],
    ['response headers', printRows(headerRows(route, folder), paper)],
    ['serializes', printRows(serializerRows(route, folder), paper)],
    ['parsers', printRows(parserRows(route, folder), paper)],
    ['errors go to', printRows(errorRows(route, folder), paper)],
    ['extensions', printRows(extensionRows(route), paper)],
    ['decorators', printRows(decoratorRows(route, folder), paper)],
  ]
  const shown = sections
    .filter(([, text]) => text !== '')
    .map(([title, text]) => `  ${styled(title, 'bold', paper)}\n${text}`)
  const facts = [
    ...factRows(route, folder),
    ['served by', `${SERVED_BY[transport.name]}: ${transport.reason}`],
  ]
  const head = styled(`${route.method} ${route.url}`, 'bold', paper)
  return `${head}\n${printTable(facts, { ...paper, width: Infinity }, { indent: '  ', styles: ['cyan'] })}${shown.join('')}`
}

function printRows(rows: readonly (readonly string[])[], paper: Paper): string {
  return printTable(rows, paper, { indent: '    ' })
}

function factRows(route: RouteExplanation, folder: string): string[][] {
  const { params, constraints, callSite, context, plugin, pluginOptions, handler, body } = route
  const texts = [
    ['params', printPairs(params)],
    ['constraints', printPairs(constraints)],
    ['defined', printCallSite(callSite, folder)],
    [
      'context',
      printContext(context) + (plugin === context || plugin === null ? '' : `, by ${printContext(plugin)}`),
    ],
    ['handler', handler],
    [
      'body',
      body.rule === 'never'
        ? 'not read'
        : `${body.rule}, at most ${body.limit} bytes (of the ${body.limitSetBy})`,
    ],
    ['plugin options', pluginOptions.join(', ')],
    ['timeout', printTimeout(route)],
    ['log level', route.logLevel],
  ]
  return texts.filter(([, text]) => text !== '')
}

function printPairs(pairs: Readonly<Record<string, string>>): string {
  return Object.entries(pairs)
    .map(([name, value]) => `${name}=${value}`)
    .join(' ')
}

/** Returns the headers that are decided at boot, with the plugin and the line that decide them. */
function headerRows({ responseHeaders }: RouteExplanation, folder: string): string[][] {
  return responseHeaders.map(({ name, value, dependsOn, plugin, callSite }) => [
    dependsOn === null ? name : `${name} (by ${dependsOn})`,
    value,
    plugin === null ? '' : printContext(plugin),
    printCallSite(callSite, folder),
  ])
}

function printTimeout({ handlerTimeout, handlerTimeoutSetBy }: RouteExplanation): string {
  return handlerTimeout === 0 ? 'none' : `${handlerTimeout} ms (of the ${handlerTimeoutSetBy})`
}

/** Returns the refusals of the guards of a route: status, body, and the guard with who passes it. */
function refusalRows({ hooks }: RouteExplanation): string[][] {
  return hooks.flatMap(({ fn, guard }) =>
    Object.entries(guard?.refuses ?? {}).map(([status, body]) => [
      status,
      BODIES[body],
      guard?.name ?? fn,
      Object.entries(guard?.security ?? {})
        .map(([scheme, scopes]) => [scheme, ...scopes].join(' '))
        .join(', '),
    ]),
  )
}

const BODIES = {
  error: 'an error response of the app',
  schema: 'by a schema of the guard',
  unknown: 'a body that is not stated',
} as const

function validatorRows({ validators }: RouteExplanation, folder: string): string[][] {
  return validators.map((one) => [
    one.part,
    one.mediaType ?? '',
    ...schemaCells(one, folder),
    AJV[one.ajv ?? 'never'],
  ])
}

function serializerRows({ serializers }: RouteExplanation, folder: string): string[][] {
  return serializers.map((one) => [one.status, one.mediaType ?? '', ...schemaCells(one, folder), one.mode])
}

const BACK_ENDS = {
  engine: 'by the engine',
  'standard-schema': 'by its library',
  application: 'by the application',
} as const

const AJV = { never: '', refused: 'Ajv makes its errors', always: 'Ajv sees every value' } as const

function schemaCells(one: ValidatorExplanation | SerializerExplanation, folder: string): string[] {
  const { key, callSite, by, compiler, tier } = one
  const place = callSite === null ? '' : printCallSite(callSite, folder)
  const from = compiler === null ? '' : ` (${printCallSite(compiler, folder)})`
  const form = tier === null ? '' : `, ${tier}`
  return [key ?? 'own schema', place, BACK_ENDS[by] + from + form]
}

function parserRows({ body }: RouteExplanation, folder: string): string[][] {
  return body.parsers.map(({ type, callSite }) => [type, printCallSite(callSite, folder)])
}

function errorRows({ errorHandlers }: RouteExplanation, folder: string): string[][] {
  const own = errorHandlers.map(({ fn, context, callSite }) => [
    fn,
    printContext(context),
    printCallSite(callSite, folder),
  ])
  return [...own, ['the framework']]
}

/** Returns what the schema says beside its parts: a row for each value of a list, such as a topic. */
function extensionRows({ extensions }: RouteExplanation): string[][] {
  return Object.entries(extensions).flatMap(([name, value]) =>
    [value].flat().map((one) => [name, typeof one === 'string' ? one : JSON.stringify(one)]),
  )
}

function decoratorRows({ decorators }: RouteExplanation, folder: string): string[][] {
  return decorators.map(({ kind, name, context, callSite }) => [
    kind,
    name,
    printContext(context),
    printCallSite(callSite, folder),
  ])
}

export function printMissing({ method, url, nearest }: MissingRoute, folder: string): string {
  const lines = nearest.flatMap((route) => [
    `  ${route.method} ${route.url}  ${printCallSite(route.callSite, folder)}\n`,
    ...route.why.map((why) => `      ${why}\n`),
  ])
  const head = `cloister: no route for ${method} ${url}`
  return lines.length === 0 ? `${head}, and none is near\n` : `${head}; the nearest:\n${lines.join('')}`
}
