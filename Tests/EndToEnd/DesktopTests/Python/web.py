# A proxy that answers for all web sites, and prints each requested page.
import http.server
import ssl
import subprocess
import sys

# In a browser, the page requests one more page.
PAGE = b"<title>Page</title><script>fetch('/shown?' + location.href)</script>"

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
        print(f"GET https://{self.headers['Host']}{self.path}", flush=True)
        self.send_response(200)
        self.send_header("Content-Type", "text/html")
        self.send_header("Content-Length", str(len(PAGE)))
        self.end_headers()
        self.wfile.write(PAGE)

    def log_message(self, *arguments):
        pass


server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Site)
print(server.server_port, flush=True)
server.serve_forever()
