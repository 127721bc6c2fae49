// Upstream: k8s.io/apiserver/pkg/server/routes/flags.go, k8s.io/component-base/logs/logs.go#GlogSetter
import type { Verbosity } from '../../base/logging/verbosity.ts';
import { parseDecimalUint } from '../../machinery/go-values.ts';
import type { PathMux } from '../http/path-mux.ts';
import type { Request } from '../http/request.ts';
import type { Response } from '../http/response.ts';
import { pageResponse, textResponse } from '../http/response.ts';

const page = `<html>
<head>
<title>/debug/flags/</title>
</head>
<body>
/debug/flags/<br>
<br>
flags:<br>
<table>
<tr>v<br>
</table>
<br>
full flags configurable<br>
</body>
</html>
`;
/** no verbosity is longer */
const mostBytes = 1024;

/** `/debug/flags/v`: a PUT of a number sets how much is logged, until the next one or a new start. */
export function installDebugFlags(mux: PathMux, verbosity: Verbosity): void {
  const index = (): Response => pageResponse(page, 'text/html; charset=utf-8');
  mux.handleUnlisted('/debug/flags', index);
  mux.handlePrefix('/debug/flags/', index);
  mux.handleUnlisted('/debug/flags/v', (request) => setVerbosity(request, verbosity));
}

async function setVerbosity(request: Request, verbosity: Verbosity): Promise<Response> {
  if (request.method !== 'PUT') return plain(406, 'unsupported http method');
  const body = await request.source.readBody(mostBytes);
  if (body === undefined) return plain(400, `error reading request body: more than ${mostBytes} bytes`);
  const text = body.toString();
  let level: number;
  try {
    level = parseDecimalUint(text, 32);
  } catch (error) {
    return plain(400, (error as Error).message);
  }
  if (level >= 2 ** 31) {
    return plain(400, `failed set klog.logging.verbosity ${text}: strconv.ParseInt: parsing "${text}": value out of range`);
  }
  verbosity.level = level;
  return plain(200, `successfully set klog.logging.verbosity to ${text}`);
}

function plain(status: number, text: string): Response {
  return textResponse(status, `${text}\n`, { 'content-type': 'text/plain' });
}
