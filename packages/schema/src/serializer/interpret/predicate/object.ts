/** Tests of objects. */
import { everyProperty, isRecord, propertyCount } from '../../../runtime/measures.ts'
import type { DependencyTest, ObjectTest } from '../../predicate-node.ts'
import type { Test, TestOf } from './predicate.ts'

type Data = Readonly<Record<string, unknown>>
type RecordTest = (value: Data) => boolean

/** Rules of objects. */
export function objectTest(node: ObjectTest, testOf: TestOf): Test {
  const { required, minProperties, maxProperties } = node
  const tests: RecordTest[] = []
  if (required.length > 0) tests.push((value) => hasAll(value, required))
  if (minProperties !== undefined) tests.push((value) => propertyCount(value) >= minProperties)
  if (maxProperties !== undefined) tests.push((value) => propertyCount(value) <= maxProperties)
  for (const { name, value: predicate } of node.properties) {
    const test = testOf(predicate)
    tests.push((value) => {
      const entry = read(value, name)
      return entry === undefined || test(entry)
    })
  }
  tests.push(...eachPropertyTests(node, testOf))
  for (const dependency of node.dependencies) tests.push(dependencyTest(dependency, testOf))
  return (value) => {
    if (!isRecord(value)) return true
    for (const test of tests) if (!test(value)) return false
    return true
  }
}

function read(value: Data, name: string): unknown {
  return Object.hasOwn(value, name) ? value[name] : undefined
}

function hasAll(value: Data, names: readonly string[]): boolean {
  for (const name of names) if (read(value, name) === undefined) return false
  return true
}

function dependencyTest({ name, needs }: DependencyTest, testOf: TestOf): RecordTest {
  if (!('tests' in needs)) return (value) => read(value, name) === undefined || hasAll(value, needs)
  const test = testOf(needs)
  return (value) => read(value, name) === undefined || test(value)
}

/** Tests that see every property: of patterns, of those that are not declared, of names. */
function eachPropertyTests(
  { properties, patterns, additional, names }: ObjectTest,
  testOf: TestOf,
): RecordTest[] {
  const tests: RecordTest[] = patterns.map(({ pattern, value: predicate }) => {
    const test = testOf(predicate)
    return (value) => everyProperty(value, (key, entry) => !pattern.test(key) || test(entry))
  })
  if (additional !== undefined) {
    const declared = new Set(properties.map(({ name }) => name))
    const test = testOf(additional)
    const isDeclared = (key: string): boolean =>
      declared.has(key) || patterns.some(({ pattern }) => pattern.test(key))
    tests.push((value) => everyProperty(value, (key, entry) => isDeclared(key) || test(entry)))
  }
  if (names !== undefined) {
    const test = testOf(names)
    tests.push((value) => everyProperty(value, (key) => test(key)))
  }
  return tests
}
