/* oxlint-disable typescript/ban-ts-comment -- a type test also says what must not compile */

// The types of the option `mcp`, and of what the plugin adds.
import { cloister } from 'cloister'
import { mcp } from '@cloister/mcp'
import type { McpTools } from '@cloister/mcp'

const app = cloister().register(mcp, { info: { name: 'books', version: '1.0.0' } })

const tools: McpTools['tools'] = app.mcp.tools
void tools

app.get('/a', { mcp: true }, () => 'a')
app.get('/b/:id', { mcp: { name: 'b', annotations: { readOnlyHint: true } } }, (request) => request.params.id)
app.route({ method: 'GET', url: '/c', mcp: { description: 'c' }, handler: () => 'c' })

app.get('/r', { mcp: { as: 'resource', title: 'r' } }, () => 'r')
const [first] = app.mcp.resources
const uri: string | null | undefined = first?.uri
void uri

app.delete('/t', { mcp: { confirm: 'Really?' } }, () => 't')
// @ts-expect-error -- a question, or whether there is one
app.delete('/u', { mcp: { confirm: 1 } }, () => 'u')
// @ts-expect-error -- a route is a tool, a resource or both
app.get('/s', { mcp: { as: 'page' } }, () => 's')
// @ts-expect-error -- a name is a string
app.get('/d', { mcp: { name: 1 } }, () => 'd')
// @ts-expect-error -- there is no such member
app.get('/e', { mcp: { title: 'e', nam: 'e' } }, () => 'e')
// @ts-expect-error -- an option of the plugin is misspelt
cloister().register(mcp, { allowedOrigin: [] })
