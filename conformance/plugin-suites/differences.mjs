// Failures that stand, each with its reason. A failure that is not in the table is news.

const COMPILERS = 'a compiler that returns no function stops the boot'
const DECODED = 'Fastify refuses a body for a length that it counts in decoded text; here it is no JSON'
const NO_LENGTH = 'a 304 has no length where none was set: Fastify writes 0, which is not that of the 200'
const LENGTH = 'a content that does not have the length that its headers declare is cut, over every transport'
const PROTOCOL = '`X-Forwarded-Proto` counts where it is a protocol; the test sends another word'
const PORT = '`request.hostname` has no port, as in 5.x'
const NO_BODY = 'the default answer of 404 leaves the body alone'
const BAD_JSON = 'malformed JSON is an error of the framework with a code, as in 5.x'
const WORDS = 'errors of the boot are in our own words'
const EXCEEDS =
  'the test makes 18 assertions and plans 15: whether the last ones come after its end is a race'
const PREMATURE = 'a request whose connection the handler destroys is an error for who injected it, as in 5.x'

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
