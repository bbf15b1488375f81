import type { Workload } from './workload.ts'

/** The bytes of one request, made once. */
export function formatRequest(workload: Workload, port: number): Buffer {
  const { method, path, body, type = 'application/json', headers = {} } = workload
  const lines = [`${method} ${path} HTTP/1.1`, `host: 127.0.0.1:${port}`, 'accept: */*']
  for (const [name, value] of Object.entries(headers)) lines.push(`${name}: ${value}`)
  if (body !== undefined) lines.push(`content-type: ${type}`, `content-length: ${Buffer.byteLength(body)}`)
  return Buffer.from(`${lines.join('\r\n')}\r\n\r\n${body ?? ''}`)
}
