import formats from 'ajv-formats/dist/formats.js'

/** A format of the package, whose formats need no Ajv, which generates code from strings. */
export function formatOf(name: string): unknown {
  const all: Readonly<Record<string, unknown>> = formats.fullFormats
  return all[name]
}
