import { describe, expect, expectTypeOf, it } from 'vitest'
import defaultExport, { displayName, plugin, PluginError, pluginMeta, skipOverride } from '@cloister/plugin'
import type { PluginMetadata, Wrapped } from '@cloister/plugin'

interface App {
  decorate(name: string, value: unknown): void
}

describe('the wrapping helper', () => {
  it('is the named export and the default export', () => {
    expect(defaultExport).toBe(plugin)
    expect(plugin.plugin).toBeTypeOf('function')
    expect(plugin.default).toBe(plugin.plugin)
  })

  it('marks the function itself, under the symbols of the plugin protocol', () => {
    function users(_app: App): void {}
    const wrapped = plugin(users)
    expect(wrapped).toBe(users)
    expect(skipOverride).toBe(Symbol.for('skip-override'))
    expect(displayName).toBe(Symbol.for('fastify.display-name'))
    expect(pluginMeta).toBe(Symbol.for('plugin-meta'))
    expect(wrapped[skipOverride]).toBe(true)
    expect(wrapped[displayName]).toBe('users')
    expect(wrapped[pluginMeta]).toEqual({ name: 'users' })
  })

  it('keeps a plugin encapsulated when its metadata asks for it', () => {
    const wrapped = plugin(async (_app: App) => {}, { name: 'inner', encapsulate: true })
    expect(wrapped[skipOverride]).toBe(false)
    expect(wrapped[displayName]).toBe('inner')
  })

  it('stores a copy of the metadata, in the words of the protocol, that nobody can change', () => {
    const dependencies = ['database']
    const wrapped = plugin((_app: App) => {}, {
      name: 'users',
      version: '4.x',
      dependencies,
      decorators: { cloister: ['db'], request: ['user'] },
    })
    dependencies.push('late')
    expect(wrapped[pluginMeta]).toEqual({
      name: 'users',
      fastify: '4.x',
      dependencies: ['database'],
      decorators: { fastify: ['db'], request: ['user'] },
    })
    expect(Object.isFrozen(wrapped[pluginMeta])).toBe(true)
  })

  it('reads a string as the range of the interface level', () => {
    expect(plugin((_app: App) => {}, '>=4.18')[pluginMeta]).toMatchObject({ fastify: '>=4.18' })
  })

  it('takes a module with a default export for its plugin', () => {
    const fn = async (_app: App): Promise<void> => {}
    expect(plugin({ default: fn })).toBe(fn)
  })

  it('lets the later call replace what the former said', () => {
    const fn = (_app: App): void => {}
    plugin(fn, { name: 'first', encapsulate: true, dependencies: ['a'] })
    const again = plugin(fn, { name: 'second' })
    expect(again[skipOverride]).toBe(true)
    expect(again[pluginMeta]).toEqual({ name: 'second' })
  })

  it('does not change async and callback functions', async () => {
    const asynchronous = plugin(async (_app: App, options: { n: number }) => options.n)
    await expect(asynchronous({ decorate() {} }, { n: 2 })).resolves.toBe(2)
    const callback = plugin((_app: App, _options: object, done: () => void) => done())
    expect(callback).toHaveLength(3)
  })

  it.each([
    ['nothing', undefined, 'undefined'],
    ['null', null, 'null'],
    ['a string', 'users', "the string 'users'"],
    ['an object', {}, 'an object'],
    ['an array', [], 'an array'],
    ['a module without a function', { default: 1 }, 'the number 1'],
  ])('refuses %s in place of the plugin', (_name, given, named) => {
    const call = (): unknown => Reflect.apply(plugin, undefined, [given])
    expect(call).toThrow(PluginError)
    expect(call).toThrow(`plugin(): the first argument must be the plugin function, got ${named}`)
    expect(call).toThrow(expect.objectContaining({ code: 'CLO_ERR_PLUGIN_NOT_A_FUNCTION' }))
  })

  it('says what to do with a promise', () => {
    const call = (): unknown => Reflect.apply(plugin, undefined, [Promise.resolve()])
    expect(call).toThrow('got a promise; await it first, or wrap the plugin in its own module')
  })
})

describe('the type of a wrapped plugin', () => {
  it('is the type of the function and the brand', () => {
    const fn = async (_app: App, _options: { prefix: string }): Promise<void> => {}
    const wrapped = plugin(fn, '4.x')
    expectTypeOf(wrapped).toExtend<typeof fn>()
    expectTypeOf(wrapped).toExtend<Wrapped>()
    expectTypeOf<Parameters<typeof wrapped>>().toEqualTypeOf<[App, { prefix: string }]>()
    expectTypeOf(plugin({ default: fn })).toExtend<typeof fn>()
  })

  it('shows whether encapsulation is broken', () => {
    const fn = (_app: App): void => {}
    const flag: boolean = fn.length > 0
    expectTypeOf(plugin(fn)[skipOverride]).toEqualTypeOf<true>()
    expectTypeOf(plugin(fn, { name: 'a' })[skipOverride]).toEqualTypeOf<true>()
    expectTypeOf(plugin(fn, { encapsulate: true })[skipOverride]).toEqualTypeOf<false>()
    expectTypeOf(plugin(fn, { encapsulate: flag })[skipOverride]).toEqualTypeOf<boolean>()
  })

  it('knows the fields of the metadata and nothing else', () => {
    type Field = 'name' | 'version' | 'fastify' | 'decorators' | 'dependencies' | 'encapsulate'
    expectTypeOf<keyof PluginMetadata>().toEqualTypeOf<Field>()
    expectTypeOf<{ dependencies: [number] }>().not.toExtend<PluginMetadata>()
    expectTypeOf<{ decorators: { request: 'user' } }>().not.toExtend<PluginMetadata>()
    expectTypeOf<number>().not.toExtend<Parameters<typeof plugin>[0]>()
  })
})
