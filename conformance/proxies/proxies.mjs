// The proxies that are tried, and their configurations: keep-alive to the app, and nothing is cached.

/**
 * @typedef {object} Given
 * @property {number} port where the proxy listens
 * @property {readonly number[]} apps ports of the apps
 * @property {string} folder for its files
 *
 * @typedef {object} Proxy
 * @property {string} name
 * @property {string} binary
 * @property {readonly string[]} version the command that prints it
 * @property {(given: Given) => { files: Readonly<Record<string, string>>, args: readonly string[] }} configure
 * @property {readonly string[]} [without] scenarios that the proxy does not have
 */

/** @param {{ version: '1.0' | '1.1', buffering: 'on' | 'off' }} variant @returns {Proxy['configure']} */
const nginx =
  ({ version, buffering }) =>
  ({ port, apps, folder }) => ({
    args: ['-p', folder, '-c', `${folder}/nginx.conf`, '-e', 'stderr'],
    files: {
      'nginx.conf': `
daemon off; worker_processes 1; pid ${folder}/nginx.pid; error_log stderr error;
events { worker_connections 1024; }
http {
  access_log off; client_max_body_size 100m;
  client_body_temp_path ${folder}/body; proxy_temp_path ${folder}/proxy; fastcgi_temp_path ${folder}/fastcgi;
  uwsgi_temp_path ${folder}/uwsgi; scgi_temp_path ${folder}/scgi;
  map $http_upgrade $upstream_connection { default upgrade; '' ''; }
  upstream app { ${apps.map((app) => `server 127.0.0.1:${app} max_fails=0;`).join(' ')} keepalive 16; }
  server {
    listen 127.0.0.1:${port};
    location / {
      proxy_pass http://app;
      ${version === '1.1' ? 'proxy_http_version 1.1; proxy_set_header Upgrade $http_upgrade; proxy_set_header Connection $upstream_connection;' : ''}
      proxy_set_header Host $http_host; proxy_set_header X-Through-Proxy nginx;
      proxy_buffering ${buffering}; proxy_request_buffering ${buffering};
      ${apps.length > 1 ? 'proxy_next_upstream error timeout http_503;' : ''}
    }
  }
}`,
    },
  })

/** @type {Proxy['configure']} */
const haproxy = ({ port, apps, folder }) => ({
  args: ['-f', `${folder}/haproxy.cfg`, '-db'],
  files: {
    'haproxy.cfg': `
global
  maxconn 1024
defaults
  mode http
  timeout connect 5s
  timeout client 30s
  timeout server 30s
  timeout tunnel 30s
  option http-keep-alive
  http-reuse always
  ${apps.length > 1 ? 'retries 3\n  option redispatch\n  retry-on conn-failure empty-response 503' : ''}
frontend front
  bind 127.0.0.1:${port}
  default_backend app
backend app
  http-request set-header X-Through-Proxy haproxy
${apps.map((app, index) => `  server app${index} 127.0.0.1:${app} pool-purge-delay 30s`).join('\n')}
`,
  },
})

/** @type {Proxy['configure']} */
const apache = ({ port, apps, folder }) => ({
  args: ['-f', `${folder}/apache.conf`, '-DFOREGROUND'],
  files: {
    'apache.conf': `
ServerRoot /usr/lib/apache2
ServerName localhost
DefaultRuntimeDir ${folder}
PidFile ${folder}/apache.pid
ErrorLog ${folder}/error.log
Listen 127.0.0.1:${port}
User www-data
Group www-data
${[
  'mpm_event',
  'authz_core',
  'headers',
  'proxy',
  'proxy_http',
  'proxy_balancer',
  'slotmem_shm',
  'lbmethod_byrequests',
]
  .map((name) => `LoadModule ${name}_module modules/mod_${name}.so`)
  .join('\n')}
KeepAlive On
MaxKeepAliveRequests 0
ProxyPreserveHost On
RequestHeader set X-Through-Proxy apache
${
  apps.length > 1
    ? `<Proxy balancer://app>\n${apps.map((app) => `BalancerMember http://127.0.0.1:${app} retry=1`).join('\n')}\n</Proxy>
ProxyPass / balancer://app/`
    : `ProxyPass / http://127.0.0.1:${apps[0]}/ keepalive=On upgrade=websocket`
}
`,
  },
})

/** @type {Proxy['configure']} */
const varnish = ({ port, apps, folder }) => ({
  args: [
    '-F',
    '-n',
    `${folder}/work`,
    '-a',
    `127.0.0.1:${port}`,
    '-f',
    `${folder}/app.vcl`,
    '-s',
    'malloc,128m',
    '-p',
    'timeout_idle=30',
    '-p',
    'vcc_allow_inline_c=off',
  ],
  files: {
    'app.vcl': `
vcl 4.1;
backend app { .host = "127.0.0.1"; .port = "${apps[0]}"; }
sub vcl_recv {
  set req.http.X-Through-Proxy = "varnish";
  if (req.http.upgrade ~ "(?i)websocket") { return (pipe); }
  return (pass);
}
sub vcl_pipe { if (req.http.upgrade) { set bereq.http.upgrade = req.http.upgrade; set bereq.http.connection = req.http.connection; } }
`,
  },
})

/** @type {Proxy['configure']} */
const caddy = ({ port, apps, folder }) => ({
  args: ['run', '--config', `${folder}/Caddyfile`, '--adapter', 'caddyfile'],
  files: {
    Caddyfile: `
{
  admin off
  auto_https off
  storage file_system ${folder}/storage
}
http://127.0.0.1:${port}, http://localhost:${port}, http://:${port} {
  bind 127.0.0.1
  reverse_proxy ${apps.map((app) => `127.0.0.1:${app}`).join(' ')} {
    header_up X-Through-Proxy caddy
    flush_interval -1
    ${apps.length > 1 ? 'lb_retries 3\n    lb_policy round_robin' : ''}
  }
}
`,
  },
})

/** @type {Proxy['configure']} */
const lighttpd = ({ port, apps, folder }) => ({
  args: ['-D', '-f', `${folder}/lighttpd.conf`],
  files: {
    'lighttpd.conf': `
server.document-root = "${folder}"
server.bind = "127.0.0.1"
server.port = ${port}
server.modules = ("mod_proxy", "mod_setenv")
server.stream-request-body = 2
server.stream-response-body = 2
server.max-keep-alive-requests = 100000
server.upload-dirs = ("${folder}")
setenv.set-request-header = ("X-Through-Proxy" => "lighttpd")
proxy.header = ("upgrade" => "enable")
proxy.server = ("" => (${apps.map((app) => `("host" => "127.0.0.1", "port" => ${app})`).join(', ')}))
`,
  },
})

/** @type {Proxy['configure']} */
const squid = ({ port, apps, folder }) => ({
  args: ['-N', '-f', `${folder}/squid.conf`],
  files: {
    'squid.conf': `
http_port 127.0.0.1:${port} accel defaultsite=localhost no-vhost
${apps.map((app, index) => `cache_peer 127.0.0.1 parent ${app} 0 no-query originserver name=app${index} round-robin`).join('\n')}
http_access allow all
cache deny all
request_header_add X-Through-Proxy squid all
pid_filename ${folder}/squid.pid
access_log none
cache_log ${folder}/cache.log
cache_store_log none
coredump_dir ${folder}
shutdown_lifetime 1 second
acl to_app myportname ${port}
`,
  },
})

/** @type {readonly Proxy[]} */
export const PROXIES = [
  {
    name: 'nginx',
    binary: 'nginx',
    version: ['nginx', '-v'],
    configure: nginx({ version: '1.1', buffering: 'on' }),
  },
  {
    name: 'nginx unbuffered',
    binary: 'nginx',
    version: ['nginx', '-v'],
    configure: nginx({ version: '1.1', buffering: 'off' }),
  },
  {
    name: 'nginx HTTP/1.0',
    binary: 'nginx',
    version: ['nginx', '-v'],
    configure: nginx({ version: '1.0', buffering: 'on' }),
    without: ['upgrades'],
  },
  { name: 'HAProxy', binary: 'haproxy', version: ['haproxy', '-v'], configure: haproxy },
  { name: 'Apache', binary: 'apache2', version: ['apache2', '-v'], configure: apache },
  {
    name: 'Varnish',
    binary: 'varnishd',
    version: ['varnishd', '-V'],
    configure: varnish,
    without: ['restart'],
  },
  { name: 'Caddy', binary: 'caddy', version: ['caddy', 'version'], configure: caddy },
  { name: 'lighttpd', binary: 'lighttpd', version: ['lighttpd', '-v'], configure: lighttpd },
  { name: 'Squid', binary: 'squid', version: ['squid', '-v'], configure: squid, without: ['upgrades'] },
]
