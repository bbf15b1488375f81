/** The reason why a response never will be complete, with the code that Node has for it. */
export function prematureClose(): Error & { readonly code: string } {
  return Object.assign(new Error('Premature close'), { code: 'ERR_STREAM_PREMATURE_CLOSE' })
}
