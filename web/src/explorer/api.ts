// The server's verbs: every number on the page comes from one of these, and with it the command that prints it.
export interface Answer<T> {
  command: string;
  status: number;  // 1: the verdict is no
  messages: string;
  result: T;
}

export class Refused extends Error {
  constructor(message: string, readonly status: number) { super(message); }
}

export type Body = Record<string, string | number | boolean | string[] | undefined>;

let token = "";
const client = Math.random().toString(36).slice(2);  // this window, which has its turn among others
export function useToken(text: string): void { token = text; }

function headers(): Record<string, string> {
  return { Authorization: `Bearer ${token}`, "X-Client": client };
}

const plain = (messages: string): string => messages.trim().replace(/^banyan: /gm, "");

async function failure(response: Response): Promise<Refused> {
  const text = await response.text();
  try {
    const { error, messages } = JSON.parse(text) as { error?: string; messages?: string };
    return new Refused(plain(error ?? messages ?? text), response.status);
  } catch {
    return new Refused(`The server answers ${response.status}`, response.status);
  }
}

export async function ask<T>(verb: string, body: Body, signal?: AbortSignal): Promise<Answer<T>> {
  const response = await fetch(`/api/${verb}`, { method: "POST", headers: headers(), body: JSON.stringify(body), signal });
  if (!response.ok) throw await failure(response);
  const answer = await response.json() as Answer<T>;
  answer.messages = plain(answer.messages);
  return answer;
}

// Lines of JSON as they come. Aborting ends the command.
export async function follow<T>(verb: string, body: Body, signal: AbortSignal, line: (value: T) => void): Promise<void> {
  const response = await fetch(`/api/${verb}?stream`, { method: "POST", headers: headers(), body: JSON.stringify(body), signal });
  if (!response.ok || !response.body) throw await failure(response);
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
  let rest = "";
  for (;;) {
    const { done, value } = await reader.read();
    if (done) break;
    const lines = (rest + value).split("\n");
    rest = lines.pop()!;
    for (const text of lines) if (text) line(JSON.parse(text) as T);
  }
}

export async function upload(file: File): Promise<string> {
  const response = await fetch(`/api/files?name=${encodeURIComponent(file.name)}`,
                               { method: "POST", headers: headers(), body: file });
  if (!response.ok) throw await failure(response);
  return (await response.json() as { file: string }).file;
}
