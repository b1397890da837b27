/** As much of XMLHttpRequest as an upload needs, over `fetch`: only it tells how much of a file is sent. */

export interface Uploads {
  /** Names of the files that the browser began to send. */
  files: string[];
  /** What the browser tells of each: shares of it, one after the other. */
  shares: number[];
  /** No file arrives before. */
  until: Promise<void>;
}

export function requestOverFetch(uploads: Uploads) {
  return class extends EventTarget {
    readonly upload = new EventTarget();
    status = 0;
    responseText = '';
    private readonly control = new AbortController();
    private readonly headers = new Headers();
    private method = '';
    private url = '';
    open(method: string, url: string): void {
      Object.assign(this, { method, url });
    }
    setRequestHeader(name: string, value: string): void {
      this.headers.set(name, value);
    }
    getAllResponseHeaders(): string {
      return 'content-type: application/json\r\n';
    }
    abort(): void {
      this.control.abort();
    }
    send(body: FormData): void {
      void this.run(body);
    }
    private async run(body: FormData): Promise<void> {
      const file = body.get('file');
      if (!(file instanceof File)) throw new Error('A file is expected in the field "file"');
      uploads.files.push(file.name);
      const { method, headers } = this;
      const { signal } = this.control;
      try {
        for (const share of uploads.shares) {
          const shape = { lengthComputable: true, loaded: Math.round(file.size * share), total: file.size };
          this.upload.dispatchEvent(new ProgressEvent('progress', shape));
        }
        const stopped = new Promise<never>((_, reject) => {
          signal.addEventListener('abort', () => reject(new Error('stopped')));
        });
        await Promise.race([uploads.until, stopped]);
        const response = await window.fetch(this.url, { method, headers, body, signal });
        this.status = response.status;
        this.responseText = await response.text();
        this.dispatchEvent(new Event('load'));
      } catch {
        this.dispatchEvent(new Event(signal.aborted ? 'abort' : 'error'));
      }
      this.dispatchEvent(new Event('loadend'));
    }
  };
}
