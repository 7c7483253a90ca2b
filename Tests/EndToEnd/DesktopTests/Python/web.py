# A proxy that answers for all web sites, and prints each requested page. A page's script makes these requests:
# - "/shown?PAGE" when the browser runs the script;
# - "/focused?PAGE" when the page gets the focus;
# - "/seen?PAGE" when the page's tab comes to the front;
# - "/moved?PAGE" when the user goes to a place in the page.
#
# The title of a page is the page's address. "?33cc66" at the end of the address is the colour of the page. The page
# "/link?URL" is one large link.
import http.server
import ssl
import subprocess
import sys

PAGE = rb"""<!DOCTYPE html><title>Page</title><body><script>
document.title = location.href
const tell = () => document.hasFocus() && fetch('/focused?' + location.href)
fetch('/shown?' + location.href).then(tell)
addEventListener('focus', tell)
onhashchange = () => {
  document.title = location.href
  fetch('/moved?' + location.href.replace('#', '%23'))
}
document.onvisibilitychange = () => document.hidden || fetch('/seen?' + location.href)
if (/^\?[0-9a-f]{6}$/.test(location.search)) document.body.style.background = '#' + location.search.slice(1)
if (location.pathname === '/link') {
  document.body.innerHTML = '<a style="position: fixed; inset: 0">link</a>'
  document.body.firstChild.href = location.search.slice(1)
}
</script>"""

directory = sys.argv[1]
key, certificate = f"{directory}/key", f"{directory}/certificate"
subprocess.run(
    ["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-subj", "/CN=web", "-keyout", key, "-out", certificate],
    check=True,
    stderr=subprocess.DEVNULL,
)
tls = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
tls.load_cert_chain(certificate, key)


class Site(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def do_CONNECT(self):
        self.send_response(200)
        self.end_headers()
        self.connection = tls.wrap_socket(self.connection, server_side=True)
        self.rfile, self.wfile = self.connection.makefile("rb"), self.connection.makefile("wb", 0)
        self.close_connection = False

    def do_GET(self):
        # With http, a browser asks a proxy for a whole address. With https, a browser makes a connection through the
        # proxy, and asks for a path.
        address = self.path if "://" in self.path else f"https://{self.headers['Host']}{self.path}"
        print(f"GET {address}", flush=True)
        self.send_response(200)
        self.send_header("Content-Type", "text/html")
        self.send_header("Content-Length", str(len(PAGE)))
        self.end_headers()
        self.wfile.write(PAGE)

    def log_message(self, *arguments):
        pass


class Sites(http.server.ThreadingHTTPServer):
    def handle_error(self, *arguments):
        pass  # The browser's own services do not take the certificate.


server = Sites(("127.0.0.1", 0), Site)
print(server.server_port, flush=True)
server.serve_forever()
