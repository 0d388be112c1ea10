import json, os, sys, urllib.request
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

base = os.environ.get("BASE", "http://127.0.0.1:8080/telegram")
seen = set()  # keep these ids in your database for 24 hours


def send(chat, text, key):
    body = json.dumps({"user": chat, "type": "text", "text": text}).encode()
    headers = {
        "id": os.environ["ID"],
        "session-id": os.environ["SECRET"],
        "content-type": "application/json",
        "idempotency-key": key,
    }
    urllib.request.urlopen(urllib.request.Request(base + "/message", body, headers), timeout=250).read()


class Receiver(BaseHTTPRequestHandler):
    def do_POST(self):
        if self.headers["x-token"] != os.environ["TOKEN"]:
            self.answer(401)
            return
        event = json.loads(self.rfile.read(int(self.headers["content-length"])))
        status = 204
        if event["type"] == "message.new" and event["id"] not in seen:
            data = event["data"]
            try:
                if data["type"] == "text" and not data["fromMe"]:
                    send(data["chat"]["id"], data["text"], event["id"])
                seen.add(event["id"])
            except OSError as error:
                print(error, file=sys.stderr)
                status = 500  # the event is delivered again later
        self.answer(status)

    def answer(self, status):
        self.send_response(status)
        self.end_headers()


ThreadingHTTPServer(("127.0.0.1", int(os.environ.get("PORT", "7777"))), Receiver).serve_forever()
