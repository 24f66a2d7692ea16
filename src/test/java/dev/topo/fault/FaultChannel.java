package dev.topo.fault;

import dev.topo.fault.Fault.Step;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.MappedByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.ReadableByteChannel;
import java.nio.channels.WritableByteChannel;
import java.nio.file.Path;

/** A channel of the platform whose reads and writes are steps of {@link Fault}. */
final class FaultChannel extends FileChannel {
  private final FileChannel real;
  private final Path file;

  FaultChannel(FileChannel real, Path file) {
    this.real = real;
    this.file = file;
  }

  private FileChannel at(Step step) throws IOException {
    Fault.step(step, file);
    return real;
  }

  @Override
  public int read(ByteBuffer target) throws IOException {
    return at(Step.READ).read(target);
  }

  @Override
  public long read(ByteBuffer[] targets, int offset, int length) throws IOException {
    return at(Step.READ).read(targets, offset, length);
  }

  @Override
  public int read(ByteBuffer target, long position) throws IOException {
    return at(Step.READ).read(target, position);
  }

  @Override
  public int write(ByteBuffer source) throws IOException {
    return at(Step.WRITE).write(source);
  }

  @Override
  public long write(ByteBuffer[] sources, int offset, int length) throws IOException {
    return at(Step.WRITE).write(sources, offset, length);
  }

  @Override
  public int write(ByteBuffer source, long position) throws IOException {
    return at(Step.WRITE).write(source, position);
  }

  @Override
  public long position() throws IOException {
    return real.position();
  }

  @Override
  public FileChannel position(long position) throws IOException {
    real.position(position);
    return this;
  }

  @Override
  public long size() throws IOException {
    return at(Step.READ).size();
  }

  @Override
  public FileChannel truncate(long size) throws IOException {
    at(Step.WRITE).truncate(size);
    return this;
  }

  @Override
  public void force(boolean metadata) throws IOException {
    at(Step.WRITE).force(metadata);
  }

  @Override
  public long transferTo(long position, long count, WritableByteChannel target) throws IOException {
    return at(Step.READ).transferTo(position, count, target);
  }

  @Override
  public long transferFrom(ReadableByteChannel source, long position, long count)
      throws IOException {
    return at(Step.WRITE).transferFrom(source, position, count);
  }

  @Override
  public MappedByteBuffer map(MapMode mode, long position, long size) throws IOException {
    return at(Step.READ).map(mode, position, size);
  }

  @Override
  public FileLock lock(long position, long size, boolean shared) throws IOException {
    return at(Step.WRITE).lock(position, size, shared);
  }

  @Override
  public FileLock tryLock(long position, long size, boolean shared) throws IOException {
    return at(Step.WRITE).tryLock(position, size, shared);
  }

  @Override
  protected void implCloseChannel() throws IOException {
    real.close();
  }
}
