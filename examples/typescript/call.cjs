const { request } = require('node:https');

/** One request as the admin of a server: its status and the object in the answer. */
exports.call = (server, method, path, object) =>
  new Promise((resolve, reject) => {
    const identity = { ca: server.authority.certificate, cert: server.admin.certificate, key: server.admin.key };
    const options = { method, agent: false, headers: { 'content-type': 'application/json' }, ...identity };
    const outgoing = request(new URL(path, server.url), options, (answer) => {
      let text = '';
      answer.setEncoding('utf8').on('data', (part) => (text += part));
      answer.on('end', () => resolve({ status: answer.statusCode, object: JSON.parse(text) })).on('error', reject);
    });
    outgoing.on('error', reject).end(object && JSON.stringify(object));
  });
