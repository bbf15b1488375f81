# Requests of one Python library: python.py LIBRARY URL. Prints what was sent and what failed, as JSON.
import asyncio, collections, hashlib, http.client, json, secrets, ssl, sys, time, urllib.error, urllib.parse, urllib.request, warnings

library, base = sys.argv[1:]
warnings.simplefilter("ignore")
context = ssl._create_unverified_context()
TYPE = "application/x-upload"


def content_of(token, size):
    line = (token + "\n").encode()
    return (line * (size // len(line) + 1))[:size]


def pieces(body):
    for at in range(0, len(body), 16384):
        yield body[at : at + 16384]


# Each opens a session and returns how one request is sent: (method, path, body or iterator, type) -> status, headers, content.
def use_requests():
    import requests

    session = requests.Session()

    def send(method, path, body, headers):
        response = session.request(method, base + path, data=body, headers=headers, verify=False, timeout=20)
        return response.status_code, response.headers, response.content

    return send


def use_urllib3():
    import urllib3

    pool = urllib3.PoolManager(cert_reqs="CERT_NONE", retries=False)

    def send(method, path, body, headers):
        response = pool.request(method, base + path, body=body, headers=headers, timeout=20)
        return response.status, response.headers, response.data

    return send


def use_httpx():
    import httpx

    client = httpx.Client(verify=False, timeout=20)

    def send(method, path, body, headers):
        response = client.request(method, base + path, content=body, headers=headers)
        return response.status_code, response.headers, response.content

    return send


def use_http_client():
    url = urllib.parse.urlsplit(base)
    secure = {"context": context} if url.scheme == "https" else {}
    connection = (http.client.HTTPSConnection if secure else http.client.HTTPConnection)(url.netloc, timeout=20, **secure)

    def send(method, path, body, headers):
        try:
            connection.request(method, path, body, headers, encode_chunked=hasattr(body, "__next__"))
            response = connection.getresponse()
            return response.status, response.headers, response.read()
        except Exception:
            connection.close()
            raise

    return send


def use_urllib():
    def send(method, path, body, headers):
        request = urllib.request.Request(base + path, body, headers, method=method)
        try:
            with urllib.request.urlopen(request, timeout=20, context=context if base.startswith("https") else None) as response:
                return response.status, response.headers, response.read()
        except urllib.error.HTTPError as error:
            return error.code, error.headers, error.read()

    return send


def use_aiohttp():
    import aiohttp

    loop = asyncio.new_event_loop()

    async def create():
        return aiohttp.ClientSession(connector=aiohttp.TCPConnector(ssl=context))

    session = loop.run_until_complete(create())

    async def ask(method, path, body, headers):
        async def stream():
            for piece in body:
                yield piece

        data = stream() if hasattr(body, "__next__") else body
        async with session.request(method, base + path, data=data, headers=headers) as response:
            return response.status, response.headers, await response.read()

    return lambda *args: loop.run_until_complete(ask(*args))


send = {
    "requests": use_requests,
    "urllib3": use_urllib3,
    "httpx": use_httpx,
    "http.client": use_http_client,
    "urllib": use_urllib,
    "aiohttp": use_aiohttp,
}[library]()
sent, failed = 0, collections.Counter()


def check(name, method, path, status, expected=None, body=None, headers={}):
    global sent
    sent += 1
    token = secrets.token_hex(8)
    try:
        url = path + ("&" if "?" in path else "?") + "token=" + token
        seen, fields, content = send(method, url, body, headers)
        if seen != status:
            failed[f"{name}: status {seen}"] += 1
        elif fields.get("x-token") not in (token, None) or (status == 200 and fields.get("x-token") != token):
            failed[f"{name}: the response of another request"] += 1
        elif expected is not None and not expected(token, content):
            failed[f"{name}: another content"] += 1
    except Exception as error:
        failed[f"{name}: {type(error).__name__} {str(error)[:60]}"] += 1


for index in range(60):
    size = 1 + int(200000 ** (index / 60))
    whole = lambda token, content, size=size: content == content_of(token, size)
    check("get", "GET", f"/bytes?size={size}", 200, whole)
    check("stream", "GET", f"/stream?size={size}", 200, whole)
    body = content_of("body", size)
    digest = hashlib.sha256(body).hexdigest()
    hashed = lambda token, content, size=size, digest=digest: json.loads(content) == {"size": size, "hash": digest}
    check("upload", "POST", "/upload", 200, hashed, body, {"content-type": TYPE})
    check("chunked upload", "POST", "/upload", 200, hashed, pieces(body), {"content-type": TYPE})
    big = b" " * 400000
    for path, kind, status in (("/refused", TYPE, 401), ("/nowhere", TYPE, 404), ("/limited", "application/x-buffer", 413)):
        check(f"refused with {status}", "POST", path, status, None, big if index % 2 else pieces(big), {"content-type": kind})
check("large", "GET", "/bytes?size=20000000", 200, lambda token, content: content == content_of(token, 20000000))


def read_slowly():
    """20 MB at about 5 MB/s over a connection that ends with the response."""
    global sent
    sent += 1
    token = secrets.token_hex(8)
    url = f"{base}/bytes?token={token}&size=20000000"
    with urllib.request.urlopen(url, timeout=20, context=context if base.startswith("https") else None) as response:
        content = b""
        while piece := response.read(500000):
            content += piece
            time.sleep(0.1)
    if content != content_of(token, 20000000):
        failed[f"slow reader: {len(content)} bytes of 20000000"] += 1


if library == "urllib":
    read_slowly()
print(json.dumps({"sent": sent, "failed": failed}))
