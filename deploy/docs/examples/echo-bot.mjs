import { createServer } from "node:http";

const { ID, SECRET, TOKEN, BASE = "http://127.0.0.1:8080/telegram", PORT = "7777" } = process.env;
const seen = new Set(); // keep these ids in your database for 24 hours

async function send(chat, text, key) {
  const response = await fetch(`${BASE}/message`, {
    method: "POST",
    headers: { id: ID, "session-id": SECRET, "content-type": "application/json", "idempotency-key": key },
    body: JSON.stringify({ user: chat, type: "text", text }),
  });
  if (!response.ok) throw new Error(`${response.status} ${await response.text()}`);
}

createServer(async (request, response) => {
  if (request.headers["x-token"] !== TOKEN) return response.writeHead(401).end();
  let body = "";
  for await (const part of request) body += part;
  const { id, type, data } = JSON.parse(body);
  try {
    if (type === "message.new" && data.type === "text" && !data.fromMe && !seen.has(id)) await send(data.chat.id, data.text, id);
    seen.add(id);
    response.writeHead(204).end();
  } catch (error) {
    console.error(error.message);
    response.writeHead(500).end(); // the event is delivered again later
  }
}).listen(Number(PORT));
