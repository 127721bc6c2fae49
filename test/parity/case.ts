/** One request of a case, and how its response is compared. */
export interface Step {
  readonly method?: string;
  readonly path?: string;
  readonly headers?: Readonly<Record<string, string | readonly string[] | null>>;
  readonly body?: unknown;
  /** exact text of the body */
  readonly rawBody?: string;
  /** exact bytes of the body */
  readonly rawBase64?: string;
  /** a large body: `unit` repeated `count` times between prefix and suffix */
  readonly fill?: { readonly prefix?: string; readonly unit: string; readonly count: number; readonly suffix?: string };
  /** impersonation headers on the administrator's credentials */
  readonly as?: {
    readonly user?: string;
    readonly uid?: string;
    readonly groups?: readonly string[];
    readonly extra?: Readonly<Record<string, readonly string[]>>;
  };
  /** `none`: no credentials; `bearer:TOKEN`: only this token */
  readonly auth?: string;
  /** variables, by JSON pointers into the response, or into the list of events of a watch */
  readonly capture?: Readonly<Record<string, string>>;
  readonly captureHeader?: Readonly<Record<string, string>>;
  /** only the status code is compared */
  readonly setup?: boolean;
  /** JSON pointers that are not compared; `*` stands for one segment */
  readonly ignore?: readonly string[];
  /** JSON pointers of arrays whose order is not fixed */
  readonly sortArrays?: readonly string[];
  readonly bodyCompare?: 'text' | 'none';
  /** the response is a watch, read until one of the limits */
  readonly stream?: StreamLimits;
  /** starts a stream that goes on beside the next steps, until a step collects it by this name */
  readonly background?: boolean;
  readonly name?: string;
  readonly collect?: string;
  /** repeats the request until its response is this, or time is up; the last response is compared */
  readonly until?: { readonly status?: number; readonly timeoutSeconds?: number; readonly pointer?: string; readonly equals?: unknown };
  readonly sleepMs?: number;
  /** sends the path byte for byte */
  readonly rawPath?: boolean;
}

export interface StreamLimits {
  readonly timeoutSeconds?: number;
  readonly maxEvents?: number;
}

/** `{ns}` (a fresh namespace), `{id}`, `{ip}` and captured names are replaced in paths, headers and bodies. */
export interface Case {
  /** unique over all files */
  readonly name: string;
  readonly category: string;
  /** `v1/Pod`, `apps/v1/Deployment` */
  readonly kind?: string;
  /** shows or changes what others see: runs alone, before the others */
  readonly exclusive?: boolean;
  readonly steps: readonly Step[];
}

/** A response without what differs from run to run. */
export interface Result {
  readonly error?: string;
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string | readonly string[]>>;
  readonly body?: unknown;
  readonly events?: readonly unknown[];
  readonly text?: string;
  /** a protobuf message as [field number, value] pairs in the order of the wire */
  readonly pb?: unknown;
  readonly base64?: string;
  readonly note?: string;
}

/** A case with the responses of upstream. */
export interface RecordedCase {
  readonly case: Case;
  readonly result: readonly Result[];
  /** upstream itself varies in the order of causes */
  readonly unordered?: boolean;
}
