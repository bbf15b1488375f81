// Accepted failures, each with its reason. The run reports a failure that is not in the table.

const COMPILERS = 'a compiler that returns no function fails the boot'
const DECODED =
  'Fastify rejects the body by the length of its decoded text; Cloister rejects it as invalid JSON'
const NO_LENGTH = 'a 304 has no length if none was set; Fastify writes 0, which is not the length of the 200'
const LENGTH = 'content whose length differs from its declared length is cut, over every transport'
const PROTOCOL = '`X-Forwarded-Proto` must be a protocol; the test sends another word'
const PORT = '`request.hostname` has no port, as in 5.x'
const CONSUMED = 'a body that a middleware has read before is a 500; Fastify waits for it for ever'
const NO_BODY = 'the default 404 does not read the body'
const BAD_JSON = 'malformed JSON is an error with a code, as in 5.x'
const WORDS = "boot errors have Cloister's own messages"
const EXCEEDS =
  'the test plans 15 assertions and makes 18; whether the last ones come after its end is a race'
const PREMATURE = 'inject rejects if the handler destroys the connection, as in 5.x'

/** Tests of a file by how their names begin; all of it without names. @param {string} file @param {string} reason @param {...string} tests */
const differ = (file, reason, ...tests) => (tests.length === 0 ? { file, reason } : { file, reason, tests })

/** @type {readonly import('../peer-suites/lib/differences.mjs').Difference[]} */
export const differences = [
  differ(
    '@fastify/compress/test/global-compress.test.js',
    LENGTH,
    'When `removeContentLengthHeader` is `false`',
  ),
  differ(
    '@fastify/compress/test/routes-compress.test.js',
    LENGTH,
    'When `compress.removeContentLengthHeader` is `false`',
  ),
  differ('@fastify/compress/test/routes-decompress.test.js', DECODED),
  ...['strong md5', 'strong sha1', 'weak fnv1a', 'default -> sha1'].map((name) =>
    differ('@fastify/etag/test/basic.test.js', NO_LENGTH, `${name} > returns a 304`),
  ),
  differ('@fastify/express/test/enhance-request.test.js', PROTOCOL, 'trust proxy protocol'),
  differ(
    '@fastify/express/test/form-data.test.js',
    CONSUMED,
    'POST request with form body and body-parser hangs up > Cannot read',
  ),
  differ('@fastify/multipart/test/multipart.test.js', EXCEEDS, 'test count exceeds plan'),
  differ('@fastify/oauth2/test/index.test.js', WORDS, 'already decorated'),
  differ(
    '@fastify/session/test/base.test.js',
    NO_BODY,
    'should not set session cookie on post without params',
  ),
  differ(
    '@fastify/static/test/static.test.js',
    PREMATURE,
    'routes should use custom errorHandler premature stream close',
  ),
  differ('@fastify/swagger/test/transform.js', COMPILERS, 'transform should', 'endpoint transform should'),
  differ('@fastify/url-data/test/tests.test.js', PORT),
  differ('fastify-plugin/test/test.js', WORDS),
  differ('mercurius/test/errors.js', BAD_JSON, 'bad json'),
]
