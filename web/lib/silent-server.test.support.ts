interface Message {
  type: string;
  id?: string;
  payload?: unknown;
}

/** What a server does with the messages of a client; one that does nothing is silent. */
type Behavior = (socket: ServedSocket, message: Message) => void;

/** A browser's WebSocket whose server is in this process and may fall silent at any point. */
export class ServedSocket {
  static readonly CONNECTING = 0;
  static readonly OPEN = 1;
  static readonly CLOSING = 2;
  static readonly CLOSED = 3;
  /** All that were opened, in order. */
  static all: ServedSocket[] = [];
  static behave: Behavior = () => {};

  readonly openedAt = Date.now();
  readyState = ServedSocket.CONNECTING;
  closeCode: number | undefined;
  onopen: (() => void) | null = null;
  onmessage: ((event: { data: string }) => void) | null = null;
  onclose: ((event: { code: number; reason: string }) => void) | null = null;
  onerror: ((event: unknown) => void) | null = null;

  constructor() {
    ServedSocket.all.push(this);
    queueMicrotask(() => {
      this.readyState = ServedSocket.OPEN;
      this.onopen?.();
    });
  }

  send(text: string): void {
    const message: Message = JSON.parse(text);
    queueMicrotask(() => ServedSocket.behave(this, message));
  }

  close(code = 1000, reason = ''): void {
    this.closeCode = code;
    this.readyState = ServedSocket.CLOSED;
    queueMicrotask(() => this.onclose?.({ code, reason }));
  }

  /** The server says something. */
  say(message: Message): void {
    this.onmessage?.({ data: JSON.stringify(message) });
  }
}

/** Acknowledges the connection, with this payload, and each subscription; then says nothing. */
export function acknowledge(payload?: object): Behavior {
  return (socket, { type, id }) => {
    if (type === 'connection_init') socket.say({ type: 'connection_ack', payload });
    if (type === 'subscribe') socket.say({ type: 'ping', payload: { type: 'start_ack', id } });
  };
}
