<?php
// php -S 127.0.0.1:7777 bot.php

function send(string $chat, string $text, string $key): bool {
    $base = getenv('BASE') ?: 'http://127.0.0.1:8080/telegram';
    $headers = ['id: ' . getenv('ID'), 'session-id: ' . getenv('SECRET'), 'content-type: application/json', "idempotency-key: $key"];
    $body = json_encode(['user' => $chat, 'type' => 'text', 'text' => $text]);
    $http = ['method' => 'POST', 'header' => implode("\r\n", $headers), 'content' => $body, 'timeout' => 250];
    return @file_get_contents("$base/message", false, stream_context_create(['http' => $http])) !== false;
}

if (($_SERVER['HTTP_X_TOKEN'] ?? '') !== getenv('TOKEN')) {
    http_response_code(401);
    exit;
}
['id' => $id, 'type' => $type, 'data' => $data] = json_decode(file_get_contents('php://input'), true);
$echo = $type === 'message.new' && $data['type'] === 'text' && !$data['fromMe'];
// The id as idempotency key: a repeated event sends no second message.
http_response_code(!$echo || send($data['chat']['id'], $data['text'], $id) ? 204 : 500);
