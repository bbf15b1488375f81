// `node undici.mjs URL`: the client of Node's `fetch`, which is undici.
import { askByFetch } from './fetch.mjs'

process.env['NODE_TLS_REJECT_UNAUTHORIZED'] = '0'
console.log(JSON.stringify(await askByFetch(process.argv[2] ?? '', true)))
