/** Emits a process warning. */
export function emitWarning(message: string, code: string): void {
  process.emitWarning(message, { type: 'SchemaWarning', code })
}
