import type { Expression } from '../../../regexp/compile.ts'
import type { ObjectTest } from '../ir.ts'
import { propertiesStep } from './properties.ts'
import { additionalStep, othersStep, type Data } from './undeclared.ts'
import { sameValue } from './union.ts'
import { DEFERRED, FITS, REJECTED, type Check, type Interpreter, type Step, type Tests } from './verdict.ts'

type Test<Kind extends ObjectTest['kind']> = Extract<ObjectTest, { kind: Kind }>

/** The tests of an object. */
export function objectSteps(interpreter: Interpreter, tests: Tests): Step<Data>[] {
  const { check } = interpreter
  return tests.flatMap((test): Step<Data>[] => {
    switch (test.kind) {
      case 'given':
        return [presentStep(test.names, DEFERRED)]
      case 'size':
        return [sizeStep(test)]
      case 'required':
        return [presentStep(test.names, REJECTED)]
      case 'names':
        return [namesStep(check(test.node))]
      case 'needs':
        return [needsStep(test)]
      case 'dependent':
        return [dependentStep(test.name, sameValue(check(test.node)))]
      case 'properties':
        return [propertiesStep(test, check)]
      case 'others':
        return [othersStep(test.others)]
      case 'additional':
        return [additionalStep(test, check(test.node))]
      case 'pattern':
        return [patternStep(test.pattern, check(test.node))]
      default:
        return interpreter.steps(test)
    }
  })
}

/** The test that properties are there. */
function presentStep(names: readonly string[], otherwise: typeof REJECTED | typeof DEFERRED): Step<Data> {
  return (object) => {
    for (const name of names) if (object[name] === undefined) return otherwise
    return FITS
  }
}

/** How many properties an object may have. */
function sizeStep({ minimum = 0, maximum = Infinity }: Test<'size'>): Step<Data> {
  return (object) => {
    const { length } = Object.keys(object)
    return length > maximum || length < minimum ? REJECTED : FITS
  }
}

/** The check of every key. */
function namesStep(check: Check): Step<Data> {
  return (object, log) => {
    for (const key in object) {
      const verdict = check(key, log, undefined, '')
      if (verdict !== FITS) return verdict
    }
    return FITS
  }
}

/** Which properties a property needs beside it. */
function needsStep({ name, needed }: Test<'needs'>): Step<Data> {
  const areThere = presentStep(needed, REJECTED)
  return (object, log) => (object[name] === undefined ? FITS : areThere(object, log))
}

/** What an object must match when it has a property. */
function dependentStep(name: string, step: Step): Step<Data> {
  return (object, log) => (object[name] === undefined ? FITS : step(object, log))
}

/** The checks of the properties whose name matches a pattern. */
function patternStep(pattern: Expression, check: Check): Step<Data> {
  return (object, log) => {
    for (const key in object) {
      if (!pattern.test(key)) continue
      const verdict = check(object[key], log, object, key)
      if (verdict !== FITS) return verdict
    }
    return FITS
  }
}
