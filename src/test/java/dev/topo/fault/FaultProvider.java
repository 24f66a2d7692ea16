package dev.topo.fault;

import dev.topo.fault.Fault.Step;
import java.io.FilterInputStream;
import java.io.FilterOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.net.URI;
import java.nio.channels.FileChannel;
import java.nio.channels.SeekableByteChannel;
import java.nio.file.AccessMode;
import java.nio.file.CopyOption;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.FileStore;
import java.nio.file.FileSystem;
import java.nio.file.LinkOption;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.FileAttributeView;
import java.nio.file.spi.FileSystemProvider;
import java.util.Arrays;
import java.util.Collection;
import java.util.Iterator;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Gives {@link FaultFileSystem} in the place of the file system of the platform; for {@code
 * -Djava.nio.file.spi.DefaultFileSystemProvider}. Each method with an {@link IOException} is a step
 * of {@link Fault}, and so is each read, write and close of what it opens.
 */
public final class FaultProvider extends FileSystemProvider {
  private final FileSystemProvider real;
  private final FaultFileSystem system;

  /** Called by the JVM with the provider of the platform. */
  public FaultProvider(FileSystemProvider real) {
    this.real = real;
    this.system = new FaultFileSystem(this, real.getFileSystem(URI.create("file:///")));
  }

  private static Path at(Step step, Path path) throws IOException {
    Path file = FaultPath.real(path);
    Fault.step(step, file);
    return file;
  }

  private static Step step(Collection<? extends OpenOption> options) {
    return options.contains(StandardOpenOption.WRITE)
            || options.contains(StandardOpenOption.APPEND)
            || options.contains(StandardOpenOption.CREATE_NEW)
        ? Step.WRITE
        : Step.READ;
  }

  @Override
  public String getScheme() {
    return real.getScheme();
  }

  @Override
  public FileSystem newFileSystem(URI uri, Map<String, ?> environment) throws IOException {
    return real.newFileSystem(uri, environment);
  }

  @Override
  public FileSystem getFileSystem(URI uri) {
    return system;
  }

  @Override
  public Path getPath(URI uri) {
    return new FaultPath(system, real.getPath(uri));
  }

  @Override
  public InputStream newInputStream(Path path, OpenOption... options) throws IOException {
    Path file = at(Step.READ, path);
    return new FilterInputStream(real.newInputStream(file, options)) {
      @Override
      public int read() throws IOException {
        Fault.step(Step.READ, file);
        return super.read();
      }

      @Override
      public int read(byte[] bytes, int offset, int length) throws IOException {
        Fault.step(Step.READ, file);
        return super.read(bytes, offset, length);
      }
    };
  }

  @Override
  public OutputStream newOutputStream(Path path, OpenOption... options) throws IOException {
    Path file = at(Step.WRITE, path);
    return new FilterOutputStream(real.newOutputStream(file, options)) {
      @Override
      public void write(int b) throws IOException {
        write(new byte[] {(byte) b}, 0, 1);
      }

      @Override
      public void write(byte[] bytes, int offset, int length) throws IOException {
        // A full disk takes a part of what it cannot take whole.
        out.write(bytes, offset, length / 2);
        Fault.step(Step.WRITE, file);
        out.write(bytes, offset + length / 2, length - length / 2);
      }

      @Override
      public void close() throws IOException {
        out.close();
        Fault.step(Step.WRITE, file);
      }
    };
  }

  @Override
  public SeekableByteChannel newByteChannel(
      Path path, Set<? extends OpenOption> options, FileAttribute<?>... attributes)
      throws IOException {
    return newFileChannel(path, options, attributes);
  }

  @Override
  public FileChannel newFileChannel(
      Path path, Set<? extends OpenOption> options, FileAttribute<?>... attributes)
      throws IOException {
    Path file = at(step(options), path);
    return new FaultChannel(real.newFileChannel(file, options, attributes), file);
  }

  @Override
  public DirectoryStream<Path> newDirectoryStream(
      Path path, DirectoryStream.Filter<? super Path> filter) throws IOException {
    Path folder = at(Step.READ, path);
    DirectoryStream<Path> entries =
        real.newDirectoryStream(folder, entry -> filter.accept(new FaultPath(system, entry)));
    return new DirectoryStream<>() {
      @Override
      public Iterator<Path> iterator() {
        Iterator<Path> iterator = entries.iterator();
        return new Iterator<>() {
          @Override
          public boolean hasNext() {
            try {
              Fault.step(Step.READ, folder);
            } catch (IOException e) {
              throw new DirectoryIteratorException(e);
            }
            return iterator.hasNext();
          }

          @Override
          public Path next() {
            return new FaultPath(system, iterator.next());
          }
        };
      }

      @Override
      public void close() throws IOException {
        entries.close();
      }
    };
  }

  @Override
  public void createDirectory(Path path, FileAttribute<?>... attributes) throws IOException {
    real.createDirectory(at(Step.WRITE, path), attributes);
  }

  @Override
  public void createSymbolicLink(Path link, Path target, FileAttribute<?>... attributes)
      throws IOException {
    real.createSymbolicLink(at(Step.WRITE, link), FaultPath.real(target), attributes);
  }

  @Override
  public void createLink(Path link, Path existing) throws IOException {
    real.createLink(at(Step.WRITE, link), FaultPath.real(existing));
  }

  @Override
  public void delete(Path path) throws IOException {
    real.delete(at(Step.DELETE, path));
  }

  @Override
  public boolean deleteIfExists(Path path) throws IOException {
    return real.deleteIfExists(at(Step.DELETE, path));
  }

  @Override
  public Path readSymbolicLink(Path link) throws IOException {
    return new FaultPath(system, real.readSymbolicLink(at(Step.READ, link)));
  }

  @Override
  public void copy(Path source, Path target, CopyOption... options) throws IOException {
    real.copy(FaultPath.real(source), at(Step.WRITE, target), options);
  }

  @Override
  public void move(Path source, Path target, CopyOption... options) throws IOException {
    real.move(FaultPath.real(source), at(Step.WRITE, target), options);
  }

  @Override
  public boolean isSameFile(Path one, Path other) throws IOException {
    return real.isSameFile(at(Step.READ, one), FaultPath.real(other));
  }

  @Override
  public boolean isHidden(Path path) throws IOException {
    return real.isHidden(at(Step.READ, path));
  }

  @Override
  public FileStore getFileStore(Path path) throws IOException {
    return real.getFileStore(at(Step.READ, path));
  }

  @Override
  public void checkAccess(Path path, AccessMode... modes) throws IOException {
    real.checkAccess(at(Step.READ, path), modes);
  }

  @Override
  public <V extends FileAttributeView> @Nullable V getFileAttributeView(
      Path path, Class<V> type, LinkOption... options) {
    Path file = FaultPath.real(path);
    V view = real.getFileAttributeView(file, type, options);
    return view == null ? null : type.cast(counted(view, type, file));
  }

  private static Object counted(FileAttributeView view, Class<?> type, Path file) {
    return Proxy.newProxyInstance(
        FaultProvider.class.getClassLoader(),
        new Class<?>[] {type},
        (proxy, method, arguments) -> {
          if (Arrays.asList(method.getExceptionTypes()).contains(IOException.class)) {
            Fault.step(method.getName().startsWith("set") ? Step.WRITE : Step.READ, file);
          }
          try {
            return method.invoke(view, arguments);
          } catch (InvocationTargetException e) {
            throw e.getTargetException();
          }
        });
  }

  @Override
  public <A extends BasicFileAttributes> A readAttributes(
      Path path, Class<A> type, LinkOption... options) throws IOException {
    return real.readAttributes(at(Step.READ, path), type, options);
  }

  @Override
  public Map<String, Object> readAttributes(Path path, String attributes, LinkOption... options)
      throws IOException {
    return real.readAttributes(at(Step.READ, path), attributes, options);
  }

  @Override
  public void setAttribute(Path path, String attribute, Object value, LinkOption... options)
      throws IOException {
    real.setAttribute(at(Step.WRITE, path), attribute, value, options);
  }
}
