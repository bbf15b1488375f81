/** The values of a route's parameters by name; an object without prototype, so that no name is taken. */
export type Params = Record<string, string | undefined>

/** Makes the object of one match. */
export type ParamsFactory = (values: readonly string[]) => Params

/** Its instances have no prototype, and are made faster than by `Object.create(null)`. */
class Bare {
  [name: string]: string | undefined
}
Object.setPrototypeOf(Bare.prototype, null)

/** Makes the factory for the parameters of a route; up to three names, as nearly all have, are written without a loop. */
export function createParamsFactory(names: readonly string[]): ParamsFactory {
  const [first = '', second = ''] = names
  if (names.length === 0) return () => new Bare()
  if (names.length === 1) {
    return (values) => {
      const params = new Bare()
      params[first] = values[0]
      return params
    }
  }
  if (names.length === 2) {
    return (values) => {
      const params = new Bare()
      params[first] = values[0]
      params[second] = values[1]
      return params
    }
  }
  return (values) => {
    const params = new Bare()
    for (let i = 0; i < names.length; i++) params[names[i] ?? ''] = values[i]
    return params
  }
}
