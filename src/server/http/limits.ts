// Upstream: k8s.io/apiserver/pkg/server/secure_serving.go, golang.org/x/net/http2/server.go, std/net/http/server.go

/** Bytes of a request's line and headers. */
export const maxHeaderBytes = 1 << 20;
/** Go reads as much more before it gives up, which matters to HTTP/1 alone. */
export const headerSlack = 4096;
/** What HTTP/2 counts for each field beside name and value; the list may be longer than the bytes by that of ten fields. */
export const fieldOverhead = 32;
export const maxHeaderListSize = maxHeaderBytes + 10 * fieldOverhead;

/** Bytes that a client may send on a stream, and in a frame, before they are read. */
export const streamWindow = 256 << 10;
export const maxFrameSize = 256 << 10;
export const defaultMaxStreams = 100;
/** Requests of a connection that wait for others of it to end, for each that may run: more is an attack. */
export const waitingPerRunning = 4;

/** How long requests are begun in one turn of the event loop; each connection may begin one in any case. */
export const turnMs = 1;

/**
 * Frames of a connection that are read in one turn of the event loop, and their bytes, of a client that has said who it is and of one that has
 * not; of all of the latter together so many, and one of each in any case.
 */
export const framesPerTurn = 64;
export const frameBytesPerTurn = 1 << 20;
export const strangersFramesPerTurn = 20;
export const strangersFrameBytesPerTurn = 64 << 10;
export const allStrangersFramesPerTurn = 100;

/**
 * What a client may do at once, and each second from then on; until it has said who it is, this is divided. Requests that it takes back, of
 * which upstream bounds only those that run meanwhile, and PING and SETTINGS, of which upstream bounds those whose responses are not read.
 */
export const resetBurst = 200;
export const resetsPerSecond = 200;
/** Requests taken back before their response began, after which a known client is read, and served, as slowly as one that is not. */
export const abandonedBurst = 20;
export const abandonedPerSecond = 20;
export const signalBurst = 100;
export const signalsPerSecond = 100;
export const strangersDivisor = 10;

/** Requests of clients that have not said who they are which are begun in one turn of the event loop, of all connections together. */
export const strangersPerTurn = 1;
/** Requests on a connection that ends which are declined in one turn. */
export const declinedPerTurn = 10;
/**
 * Connections of clients that have not said who they are which are read at a time, and for how long before it is the turn of others; so many at
 * most while those that are read say who they are, or nothing.
 */
export const strangersRead = 1;
export const mostStrangersRead = 8;
export const strangersReadMs = 1;
/** One that has not said who it is for so long, or with so many bytes, gets every eighth turn, and where there are no others, they take longer. */
export const freshStrangerMs = 1000;
export const freshStrangerBytes = 64 << 10;
export const staleEvery = 8;
export const staleReadMs = 5;
/** Connections without a byte, those that shake hands, and those that have done so and never said who they are: of more the oldest end. */
export const maxSilentConnections = 2000;
export const maxHandshakes = 2000;
export const maxStrangers = 2000;
/** The same of those that have done so for longer than this: clients that all come back at once have time for their first requests. */
export const maxIdleStrangers = 500;
export const newcomerMs = 5000;

/** Bytes that a client may send beside its requests while the process is busy; the headers of one may be on their way. */
export const idleTalkBytes = maxHeaderBytes + (128 << 10);
/** The same of one that has not said who it is, busy or not, where others wait to be read. Upstream would take larger headers of it. */
export const strangersIdleTalkBytes = 192 << 10;

export const handshakeMs = 32_000;
export const readHeaderMs = 32_000;
export const idleMs = 90_000;
/** Until an HTTP/2 client has sent its preface and its first SETTINGS. */
export const greetingMs = 12_000;
/** A connection after GOAWAY has this long, when nothing runs on it any more. */
export const farewellMs = 1000;
/** Between a response to a client that is not to ask again and the end of its connection. */
export const dismissalMs = 50;
/** A response that cannot be sent in time is broken off this long after its deadline. */
export const sendSlackMs = 5000;
export const keepAliveProbeMs = 180_000;
/** Bytes of an unwanted body which are read for the sake of the next request of an HTTP/1 connection. */
export const unwantedBodyBytes = 256 << 10;
