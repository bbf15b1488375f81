/**
 * Makes an app listen at a free port of this machine, whatever it asks for: the command looks at an app that may be
 * running beside it.
 */
export function listenAnywhere(app: unknown): void {
  if (typeof app !== 'object' || app === null) return
  const listen: unknown = Reflect.get(app, 'listen')
  if (typeof listen !== 'function') return
  Reflect.set(app, 'listen', (...args: unknown[]): unknown => {
    const done = args.filter((one) => typeof one === 'function')
    const address: unknown = Reflect.apply(listen, app, [{ port: 0, host: 'localhost' }, ...done])
    return address
  })
}
