// The bytes of forms, as browsers send them.

/** A part of a form: text, or a file with its name. */
export interface Part {
  readonly name: string
  readonly value: string | Buffer
  readonly filename?: string
  readonly type?: string
}

export const BOUNDARY = 'form-boundary-1'
export const FORM_TYPE = `multipart/form-data; boundary=${BOUNDARY}`

/** Writes a form (RFC 7578). */
export function formBody(parts: readonly Part[]): Buffer {
  const lines = parts.flatMap(({ name, value, filename, type }) => [
    `--${BOUNDARY}\r\nContent-Disposition: form-data; name="${name}"`,
    filename === undefined ? '' : `; filename="${filename}"`,
    type === undefined ? '' : `\r\nContent-Type: ${type}`,
    '\r\n\r\n',
    value,
    '\r\n',
  ])
  return Buffer.concat([...lines, `--${BOUNDARY}--\r\n`].map((one) => Buffer.from(one)))
}

/** A request that sends a form. */
export function formRequest(parts: readonly Part[], path = '/') {
  return { method: 'POST', path, headers: { 'content-type': FORM_TYPE }, body: formBody(parts) }
}
