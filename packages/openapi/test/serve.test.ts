// The plugin: the document and its page, as an app serves them.
import { createHash } from 'node:crypto'
import { openapi, openApiDocument, registeredOptions } from '@cloister/openapi'
import type { OpenApiOptions } from '@cloister/openapi'
import { cloister } from 'cloister'
import { describe, expect, it } from 'vitest'
import { parse } from 'yaml'

const info = { title: 'Books <1>', version: '1.0.0' }

async function appWith(options: OpenApiOptions, prefix = '') {
  const app = cloister()
  app.register(openapi, { info, ...options, prefix })
  app.get('/books', { schema: { response: { 200: { type: 'array', items: { type: 'string' } } } } }, () => [
    'Emma',
  ])
  await app.ready()
  return app
}

describe('the plugin', () => {
  it('serves the document as JSON and YAML, with routes that are not in it', async () => {
    const app = await appWith({ ui: 'swagger-ui' })
    const json = await app.inject('/openapi.json')
    expect(json.headers['content-type']).toBe('application/json; charset=utf-8')
    expect(json.json()).toEqual(JSON.parse(JSON.stringify(openApiDocument(app))))
    expect(Object.keys(json.json().paths)).toEqual(['/books'])
    expect(json.json().info).toEqual(info)
    const yaml = await app.inject('/openapi.yaml')
    expect(yaml.headers['content-type']).toBe('application/yaml')
    expect(parse(yaml.payload)).toEqual(json.json())
  })

  it('responds to a known document without content', async () => {
    const app = await appWith({ ui: false })
    const { headers } = await app.inject('/openapi.json')
    const again = await app.inject({
      url: '/openapi.json',
      headers: { 'if-none-match': String(headers.etag) },
    })
    expect([again.statusCode, again.payload]).toEqual([304, ''])
  })

  it('serves at the paths that it is given, below a prefix', async () => {
    const app = await appWith(
      { path: '/api.json', yamlPath: false, ui: 'swagger-ui', uiPath: '/view/api' },
      '/meta',
    )
    const urls = [
      '/meta/api.json',
      '/meta/openapi.yaml',
      '/meta/view/api',
      '/meta/view/api/start.js',
      '/docs',
    ]
    const statuses = await Promise.all(urls.map(async (url) => (await app.inject(url)).statusCode))
    expect(statuses).toEqual([200, 404, 200, 200, 404])
    expect((await app.inject('/meta/view/api/start.js')).payload).toContain('"../../api.json"')
  })

  it.each([
    ['/docs', {}],
    ['/docs/', {}],
    ['/docs', { ignoreTrailingSlash: true }],
  ])('shows the page with a slash at the end and without: %s, %j', async (uiPath, options) => {
    const app = cloister(options)
    app.register(openapi, { info, ui: 'swagger-ui', uiPath })
    await app.ready()
    for (const url of ['/docs', '/docs/', '/docs/?a=/']) {
      const page = await app.inject(url)
      const [, script = ''] = /src="([^"]+start\.js)"/.exec(page.payload) ?? []
      const { pathname } = new URL(script, `http://localhost${url}`)
      expect([url, page.statusCode, pathname]).toEqual([url, 200, '/docs/start.js'])
    }
  })

  it('serves a page from the package of the application, without inline code and under a strict policy', async () => {
    const app = await appWith({ ui: 'swagger-ui', servers: [{ url: 'https://api.example.com/v1' }] })
    const page = await app.inject('/docs')
    const policy = String(page.headers['content-security-policy'])
    const [, nonce = ''] = /'nonce-([\w-]+)'/.exec(policy) ?? []
    expect(policy).toContain("default-src 'none'; script-src 'self'; style-src 'self' 'nonce-")
    expect(policy).toContain("connect-src 'self' https://api.example.com;")
    expect(policy).not.toContain('unsafe')
    expect(page.payload).toContain('<title>Books &lt;1></title>')
    expect(page.payload).toContain(`<script nonce="${nonce}" src="docs/start.js"></script>`)
    expect(page.payload).not.toMatch(/<script[^>]*>[^<]|<style|https?:/)
    expect((await app.inject('/docs')).payload).not.toContain(nonce)
    const files = [...page.payload.matchAll(/(?:src|href)="(docs\/[^"]+)"(?: integrity="([^"]+)")?/g)]
    expect(files.map(([, file]) => file)).toEqual([
      'docs/start.js',
      'docs/swagger-ui.css',
      'docs/swagger-ui.js',
    ])
    for (const [, file = '', integrity] of files) {
      const { rawPayload, statusCode } = await app.inject(`/${file}`)
      expect(statusCode).toBe(200)
      if (integrity === undefined) continue
      const digest = await crypto.subtle.digest('SHA-384', rawPayload)
      expect(integrity).toBe(`sha384-${Buffer.from(digest).toString('base64')}`)
    }
  })

  it('says of each response that its type is what it is, and of the page that it is for its own origin', async () => {
    const app = await appWith({ ui: 'swagger-ui' })
    const read = async (url: string): Promise<unknown[]> => {
      const { headers } = await app.inject(url)
      return [headers['x-content-type-options'], headers['cross-origin-resource-policy']]
    }
    for (const url of ['/docs', '/docs/start.js', '/docs/swagger-ui.css', '/docs/swagger-ui.js']) {
      expect([url, ...(await read(url))]).toEqual([url, 'nosniff', 'same-origin'])
    }
    // Tools of other origins read the document, where the app allows it.
    for (const url of ['/openapi.json', '/openapi.yaml']) {
      expect([url, ...(await read(url))]).toEqual([url, 'nosniff', undefined])
    }
  })

  it('lets no server of the document add to its policy', async () => {
    const servers = [
      { url: 'https://a;script-src' },
      { url: "https://b,'c'" },
      { url: 'https://ok.example:8443/v1' },
    ]
    const app = await appWith({ ui: 'swagger-ui', servers })
    const policy = String((await app.inject('/docs')).headers['content-security-policy'])
    expect(policy).toContain("connect-src 'self' https://ok.example:8443;")
    expect(policy.match(/script-src/g)).toHaveLength(1)
  })

  it.each([
    ['scalar', '@scalar/api-reference'],
    ['redoc', 'redoc'],
  ] as const)(
    'fails the boot without the package of the page %s, and names the command that installs it',
    async (ui, name) => {
      const app = cloister()
      app.register(openapi, { ui })
      await expect(app.ready()).rejects.toThrow(
        `needs the package ${name}, which is not installed: npm install ${name}; or choose another page with the option ui, or none with ui: false`,
      )
    },
  )

  it('links to the document where the package of the default page is not installed, as in production', async () => {
    const app = await appWith({ path: '/v1/api.json' }, '/meta')
    for (const url of ['/meta/docs', '/meta/docs/', '/meta/docs/?a=/']) {
      const page = await app.inject(url)
      expect([page.statusCode, page.headers['content-type']]).toEqual([200, 'text/html; charset=utf-8'])
      expect(page.headers['content-security-policy']).toMatch(/^default-src 'none'; img-src data:;/)
      expect(page.payload).toContain('<h1>Books &lt;1><small>')
      expect(page.payload).toContain('<code>npm install @scalar/api-reference</code>')
      expect(page.payload).not.toContain('<script')
      expect(page.payload).toMatch(/<th scope="row"><code><b>GET<\/b> \/[^<]*<\/code><\/th>/)
      const style = /<style>([^<]*)<\/style>/.exec(page.payload)?.[1] ?? ''
      const hash = createHash('sha256').update(style).digest('base64')
      expect(page.headers['content-security-policy']).toContain(`style-src 'sha256-${hash}';`)
      const links = [...page.payload.matchAll(/<a href="([^"]+)"/g)].map(([, link = '']) => link)
      const paths = links.map((link) => new URL(link, `http://localhost${url}`).pathname)
      expect(paths).toEqual(['/meta/v1/api.json', '/meta/openapi.yaml'])
      for (const one of paths) expect((await app.inject(one)).statusCode).toBe(200)
    }
    const alone = await appWith({ yamlPath: false })
    expect((await alone.inject('/docs')).payload).not.toContain('yaml')
    expect((await alone.inject('/docs/start.js')).statusCode).toBe(404)
  })

  it('fails the boot for what cannot be documented, and for options that it does not have', async () => {
    const app = cloister()
    app.register(openapi, { ui: false })
    app.get('/a', { schema: { operationId: 'same' } }, () => 'a')
    app.get('/b', { schema: { operationId: 'same' } }, () => 'b')
    await expect(app.ready()).rejects.toThrow(/two routes have the operationId 'same'.*serve\.test\.ts:\d+/)
    const misspelt = cloister()
    const options: object = { uiPaht: '/docs' }
    misspelt.register(openapi, options)
    await expect(misspelt.ready()).rejects.toThrow("has no option 'uiPaht'")
  })

  it('gives its options to openApiDocument, whose own come before them', async () => {
    const app = await appWith({ ui: false, servers: [{ url: '/v1' }] })
    expect(registeredOptions(app)).toEqual({ info, servers: [{ url: '/v1' }] })
    const document = openApiDocument(app, { info: { title: 'Other', version: '2.0.0' } })
    expect([document.info.title, document.servers]).toEqual(['Other', [{ url: '/v1' }]])
  })

  it('can be registered twice, with a document for each version', async () => {
    const app = cloister()
    for (const version of ['1.0.0', '2.0.0']) {
      app.register(openapi, {
        prefix: `/v${version[0]}`,
        ui: false,
        info: { title: 'Books', version },
        select: ({ constraints }) => constraints['version'] === version,
      })
      app.get('/books', { constraints: { version }, schema: { summary: version } }, () => version)
    }
    await app.ready()
    const documents = await Promise.all(
      ['/v1', '/v2'].map(async (at) => (await app.inject(`${at}/openapi.json`)).json()),
    )
    expect(documents.map(({ paths }) => paths['/books'].get.summary)).toEqual(['1.0.0', '2.0.0'])
  })
})
